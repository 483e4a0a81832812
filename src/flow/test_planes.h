// The tests of an autoregressive flow over a block of rows, as planes (count/planes.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ragged.h"
#include "count/aligned_buffer.h"
#include "count/packed_trees.h"
#include "count/planes.h"
#include "flow/conditioner.h"

namespace dtf {

// Which tests look at a column, in the order in which their planes are best made.
class TestIndex {
 public:
  // REQUIRES: each test's column < sizes.size() and first <= last < sizes[column].
  TestIndex(std::vector<CodeTest> tests, const std::vector<Code>& sizes);

  const std::vector<CodeTest>& tests() const { return tests_; }
  // Positions of the column's tests in tests(), ascending by (first, last).
  std::span<const std::uint32_t> OfColumn(Feature column) const { return of_column_[column]; }

 private:
  std::vector<CodeTest> tests_;
  Ragged<std::uint32_t> of_column_;
};

class TestPlanes {
 public:
  // All 0 at first. Keeps a reference to `index`.
  TestPlanes(const TestIndex& index, std::size_t rows);

  std::size_t words() const { return words_; }  // a multiple of kPackedWords
  // Plane t says which rows pass test t.
  PlaneMatrix matrix() const { return {planes_.data(), index_.tests().size(), words_}; }

  // Makes the planes of the column's tests. codes: one for each row. The time hardly grows with the number of tests.
  void Fill(Feature column, std::span<const Code> codes);

 private:
  void FillEach(std::span<const std::uint32_t> tests, std::span<const Code> codes);
  void FillSorted(std::span<const std::uint32_t> tests, std::span<const Code> codes);
  std::uint64_t* Plane(std::uint32_t test) { return planes_.data() + test * words_; }

  const TestIndex& index_;
  std::size_t words_;
  AlignedBuffer<std::uint64_t> planes_;
  std::vector<std::uint64_t> sorted_;  // code · 2^32 + row
};

}  // namespace dtf
