#include "count/counting_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "count/target_test_util.h"

namespace dtf {
namespace {

Count Draw(std::mt19937& random, Count below) { return static_cast<Count>(random() % below); }

struct Data {
  std::vector<Code> sizes;
  CodeTable table;
  CodeLayout layout;
  std::vector<Count> weights;

  Data(std::vector<Code> k, std::size_t rows, Count most_weight, std::uint32_t seed)
      : sizes(std::move(k)), table(CodeTable::WithSizes(rows, sizes)), layout(sizes) {
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < rows; ++i) {
      const Code hidden = Draw(random, 4);
      for (std::size_t j = 0; j < sizes.size(); ++j) {
        // Skewed, dependent, and not all codes occur.
        const Code code = std::min(Draw(random, sizes[j]), Draw(random, sizes[j]));
        table.columns[j].Set(i, random() % 3 == 0 ? hidden % sizes[j] : code / 2 * 2 % sizes[j]);
      }
      if (most_weight > 0) weights.push_back(Draw(random, most_weight + 1));
    }
  }

  std::vector<std::uint32_t> Rows(bool all) const {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < table.rows; ++i) {
      if (all || i % 3 != 1) rows.push_back(i);
    }
    return rows;
  }
};

std::vector<Candidate> AllCandidates(const Data& data, const NodeCounter& counter) {
  std::vector<Candidate> candidates;
  for (Feature j = 0; j < data.sizes.size(); ++j) {
    for (const Code code : counter.present(j)) candidates.push_back({j, code});
  }
  return candidates;
}

// The definition.
Count CountOf(const Data& data, std::span<const std::uint32_t> rows, Candidate candidate, Feature j, Code code) {
  Count count = 0;
  for (const std::uint32_t row : rows) {
    if (data.table.columns[candidate.feature].At(row) != candidate.value) continue;
    if (data.table.columns[j].At(row) == code) count += data.weights.empty() ? 1 : data.weights[row];
  }
  return count;
}

void CheckCounts(const Data& data, std::span<const std::uint32_t> rows, const NodeCounter& counter,
                 std::span<const Candidate> candidates, const BlockCounts& counts) {
  for (Feature j = counts.first(); j < counts.last(); ++j) {
    ASSERT_EQ(counts.present(j), counter.present(j).size());
    for (std::size_t i = 0; i < counts.present(j); ++i) {
      for (std::size_t c = 0; c < counts.width(); ++c) {
        const Count expected = c < candidates.size() ? CountOf(data, rows, candidates[c], j, counter.present(j)[i]) : 0;
        ASSERT_EQ(counts.Row(j, i)[c], expected) << "feature " << j << ", code " << i << ", candidate " << c;
      }
    }
  }
}

// In blocks of candidates and ranges of features, with the same scratch.
void CheckBlocks(const Data& data, std::span<const std::uint32_t> rows, const NodeCounter& counter, std::size_t width) {
  const auto candidates = AllCandidates(data, counter);
  CandidateBlock block;
  BlockCounts counts;
  for (std::size_t first = 0; first < candidates.size(); first += width) {
    const auto some = std::span(candidates).subspan(first, std::min(width, candidates.size() - first));
    counter.Prepare(some, block);
    for (Feature j = 0; j < data.sizes.size();) {
      const Feature end = std::min<Feature>(j + 3, counter.RangeEnd(j, block.width()));
      counter.Count(block, j, end, counts);
      CheckCounts(data, rows, counter, some, counts);
      j = end;
    }
  }
}

void CheckNode(const Data& data, const CountingTable& table, std::span<const std::uint32_t> rows,
               const NodeCounter& counter, int depth);

void CheckChildren(const Data& data, const CountingTable& table, std::span<const std::uint32_t> rows,
                   const NodeCounter& counter, const SetSplit& split, int depth) {
  const RowSplit sides = counter.Split(split);
  std::vector<std::uint32_t> left;
  std::vector<std::uint32_t> right;
  for (const std::uint32_t row : rows) {
    const bool goes_left =
        std::binary_search(split.left.begin(), split.left.end(), data.table.columns[split.feature].At(row));
    (goes_left ? left : right).push_back(row);
  }
  for (const bool is_left : {true, false}) {
    const auto& side = is_left ? sides.left : sides.right;
    const auto& child_rows = is_left ? left : right;
    const NodeCounts expected = table.CountRows(child_rows);
    const NodeCounts found = counter.CountSide(side);
    ASSERT_EQ(found.total, expected.total);
    ASSERT_EQ(found.counts, expected.counts);
    if (child_rows.empty()) continue;
    const NodeCounter child(counter, side, child_rows, expected);
    CheckNode(data, table, child_rows, child, depth - 1);
  }
}

void CheckNode(const Data& data, const CountingTable& table, std::span<const std::uint32_t> rows,
               const NodeCounter& counter, int depth) {
  const auto candidates = AllCandidates(data, counter);
  CheckCounts(data, rows, counter, candidates, counter.Count(candidates));
  CheckBlocks(data, rows, counter, 23);
  if (depth == 0 || candidates.empty()) return;
  for (const Candidate& candidate : {candidates[0], candidates[candidates.size() / 2], candidates.back()}) {
    CheckChildren(data, table, rows, counter, {candidate.feature, {candidate.value}}, depth);
    const auto present = counter.present(candidate.feature);
    CheckChildren(data, table, rows, counter, {candidate.feature, {present.begin(), present.end() - 1}}, depth);
  }
}

void CheckAll(const Data& data, int depth) {
  const CountingTable table(data.table, data.layout, data.weights);
  for (const bool all : {true, false}) {
    const auto rows = data.Rows(all);
    const NodeCounts counts = table.CountRows(rows);
    CheckNode(data, table, rows, NodeCounter(table, rows, counts), depth);
  }
}

TEST(NodeCounter, NarrowFeatures) {
  OnEachTarget([] { CheckAll({{2, 3, 2, 7, 1, 4}, 150, 0, 1}, 2); });
}

TEST(NodeCounter, NarrowAndWideFeatures) {
  OnEachTarget([] { CheckAll({{2, 60, 2, 400, 30, 3}, 300, 0, 2}, 1); });
}

// 40 codes that occur × 30: above the limit of what is counted by planes, though all have some.
TEST(NodeCounter, PairsOfManyCodes) {
  OnEachTarget([] { CheckAll({{60, 60, 2, 60}, 400, 0, 3}, 1); });
}

TEST(NodeCounter, Weights) {
  OnEachTarget([] {
    CheckAll({{2, 3, 2, 7, 1, 4}, 150, 1, 4}, 2);
    CheckAll({{2, 60, 2, 30, 3}, 200, 1000, 5}, 1);
  });
}

TEST(NodeCounter, FewRows) {
  for (std::size_t rows = 1; rows < 8; ++rows) CheckAll({{2, 3, 100}, rows, 0, 6}, 1);
  for (const std::size_t rows : {63u, 64u, 65u, 127u, 128u, 129u}) CheckAll({{2, 3, 5}, rows, 0, 7}, 1);
}

TEST(NodeCounter, EachColumnWidth) {
  OnEachTarget([] { CheckAll({{2, 1000, 2, 70000}, 130, 0, 8}, 1); });
}

TEST(NodeCounter, BlocksStaySmall) {
  const Data data({2, 2}, 200, 0, 9);
  const CountingTable table(data.table, data.layout, data.weights);
  const auto rows = data.Rows(true);
  const NodeCounter counter(table, rows, table.CountRows(rows));
  EXPECT_EQ(counter.MostCandidates(), 512u);
}

}  // namespace
}  // namespace dtf
