// The tests by which questions may look at the columns before theirs, in one order of the columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "count/aligned_buffer.h"
#include "count/planes.h"
#include "flow/conditioner.h"
#include "learn/weighted_rows.h"

namespace dtf {

// Tests of all columns, in the order of the columns; those of the columns before position t are the first begin[t].
struct ContextTests {
  std::vector<CodeTest> tests;
  std::vector<std::size_t> begin;  // columns + 1
};

// Tests of one column at most: of categories, and thresholds.
inline constexpr std::size_t kMostTestsOfColumn = 512;

// For each column a test for each category (if two occur, for one of them; if many, for the most frequent ones); and
// thresholds "is the code at most c?" that split the rows evenly, as codes are in the order of values, which means
// something for numbers, grades, bins and dates, whatever the column's type. Columns that are `ordered` have more
// thresholds; an empty list: none is. There is no test that all rows or no rows pass.
ContextTests ChooseTests(const WeightedRows& rows, std::span<const Code> sizes, std::span<const Feature> order,
                         const std::vector<bool>& ordered = {});

// Calls f(test&) for each term's and node's test of the question.
template <typename F>
void ForEachTest(Question& question, F&& f) {
  for (LogitTerm& term : question.terms) f(term.test);
  for (LogitTree& tree : question.trees) {
    for (LogitTree::Node& node : tree.nodes) f(node.test);
  }
}

// 0, 1, 2, …
std::vector<std::uint32_t> FirstTests(std::size_t count);

// Drops the tests that no question uses, and all but the first of equal ones, and renumbers those in the questions.
void DropUnusedTests(std::vector<CodeTest>& tests, std::vector<Conditioner>& conditioners);

// Which rows pass which test: plane t is test t's. Memory: tests · rows bits.
class ContextPlanes {
 public:
  ContextPlanes(const CodeTable& codes, std::span<const CodeTest> tests);

  // The planes of `tests`, in their order there.
  ContextPlanes(const ContextPlanes& planes, std::span<const std::uint32_t> tests);

  std::size_t words() const { return words_; }
  PlaneMatrix First(std::size_t tests) const { return {planes_.data(), tests, words_}; }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> planes_;
};

}  // namespace dtf
