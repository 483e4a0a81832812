#include "flow/test_planes.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace dtf {
namespace {

// If a column has more tests, its rows are sorted first, which takes as long as matching some 300 tests.
constexpr std::size_t kFewTests = 300;

void SetBit(std::uint64_t* plane, std::uint64_t row) { plane[row / 64] |= std::uint64_t{1} << (row % 64); }

}  // namespace

TestIndex::TestIndex(std::vector<CodeTest> tests, const std::vector<Code>& sizes) : tests_(std::move(tests)) {
  std::vector<std::uint32_t> sorted(tests_.size());
  std::iota(sorted.begin(), sorted.end(), 0u);
  std::ranges::stable_sort(sorted, {}, [&](std::uint32_t test) { return tests_[test]; });
  auto begin = sorted.begin();
  for (Feature column = 0; column < sizes.size(); ++column) {
    const auto end = std::find_if(begin, sorted.end(), [&](auto test) { return tests_[test].column != column; });
    of_column_.Append(std::span(begin, end));
    begin = end;
  }
}

TestPlanes::TestPlanes(const TestIndex& index, std::size_t rows) : index_(index), words_(PackedPlaneWords(rows)) {
  const std::size_t size = index.tests().size() * words_;
  std::fill_n(planes_.Resize(size), size, 0);
}

void TestPlanes::Fill(Feature column, std::span<const Code> codes) {
  const auto tests = index_.OfColumn(column);
  tests.size() <= kFewTests ? FillEach(tests, codes) : FillSorted(tests, codes);
}

void TestPlanes::FillEach(std::span<const std::uint32_t> tests, std::span<const Code> codes) {
  for (const std::uint32_t t : tests) {
    const CodeTest& test = index_.tests()[t];
    if (test.first == test.last) {
      MatchCodes(codes, test.first, Plane(t));
    } else {
      MatchRange(codes, test.first, test.last, Plane(t));
    }
  }
}

// Ranges that begin with the same code grow from one to the next: thresholds take one pass over the rows.
void TestPlanes::FillSorted(std::span<const std::uint32_t> tests, std::span<const Code> codes) {
  sorted_.clear();
  for (std::size_t i = 0; i < codes.size(); ++i) sorted_.push_back(std::uint64_t{codes[i]} << 32 | i);
  std::ranges::sort(sorted_);
  auto at = sorted_.begin();
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const CodeTest& test = index_.tests()[tests[i]];
    std::uint64_t* plane = Plane(tests[i]);
    if (i > 0 && index_.tests()[tests[i - 1]].first == test.first) {
      std::copy_n(Plane(tests[i - 1]), words_, plane);
    } else {
      std::fill_n(plane, words_, 0);
      at = std::ranges::lower_bound(sorted_, std::uint64_t{test.first} << 32);
    }
    for (; at != sorted_.end() && *at >> 32 <= test.last; ++at) SetBit(plane, *at & 0xFFFFFFFFu);
  }
}

}  // namespace dtf
