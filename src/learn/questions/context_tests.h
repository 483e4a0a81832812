// The tests that questions may put to the columns before theirs, in one order of the columns.
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

// Of one column: categories and thresholds.
inline constexpr std::size_t kMostTestsOfColumn = 512;

// One test for each category (one alone for two categories), of many the most frequent; and thresholds, those that part
// the rows evenly: codes follow values, which mean something in most columns of numbers, grades, bins and dates,
// whatever their type; more of them in columns that are `ordered` by value (none: in none). None for a test that all
// rows or no rows pass.
ContextTests ChooseTests(const WeightedRows& rows, std::span<const Code> sizes, std::span<const Feature> order,
                         const std::vector<bool>& ordered = {});

// f(test&) for each test that the question puts.
template <typename F>
void ForEachTest(Question& question, F&& f) {
  for (LogitTerm& term : question.terms) f(term.test);
  for (LogitTree& tree : question.trees) {
    for (LogitTree::Node& node : tree.nodes) f(node.test);
  }
}

// 0, 1, 2, …
std::vector<std::uint32_t> FirstTests(std::size_t count);

// Leaves out the tests that no question puts.
void DropUnusedTests(std::vector<CodeTest>& tests, std::vector<Conditioner>& conditioners);

// Which rows pass which test: plane t is test t's. Memory: tests · rows bits.
class ContextPlanes {
 public:
  ContextPlanes(const CodeTable& codes, std::span<const CodeTest> tests);

  // Those of `tests`, as they stand there.
  ContextPlanes(const ContextPlanes& planes, std::span<const std::uint32_t> tests);

  std::size_t words() const { return words_; }
  PlaneMatrix First(std::size_t tests) const { return {planes_.data(), tests, words_}; }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> planes_;
};

}  // namespace dtf
