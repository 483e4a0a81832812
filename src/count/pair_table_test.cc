#include "count/pair_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "count/counting_table.h"
#include "count/target_test_util.h"

namespace dtf {
namespace {

// Rows in which low codes are common and high ones rare, so that small nodes lack many of them. Code 0 of the last
// feature goes with high codes elsewhere.
struct Data {
  std::vector<Code> sizes;
  CodeTable table;
  CodeLayout layout;
  std::vector<Count> weights;

  Data(std::vector<Code> k, std::size_t rows, Count most_weight, std::uint32_t seed)
      : sizes(std::move(k)),
        table(CodeTable::WithSizes(rows, sizes)),
        layout(sizes),
        weights(most_weight > 0 ? rows : 0) {
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < rows; ++i) {
      const bool flipped = random() % 4 == 0;
      for (std::size_t j = 0; j < sizes.size(); ++j) {
        const Code code = static_cast<Code>(std::min({random() % sizes[j], random() % sizes[j], random() % sizes[j]}));
        table.columns[j].Set(i, flipped ? sizes[j] - 1 - code : code);
      }
    }
    for (Count& weight : weights) weight = static_cast<Count>(random() % (most_weight + 1));
  }
};

void ExpectSame(const PairTable& found, const PairTable& expected) {
  ASSERT_EQ(found.places(), expected.places());
  for (std::size_t place = 0; place < found.places(); ++place) {
    const auto row = std::span(found.Row(place), found.places());
    ASSERT_TRUE(std::ranges::equal(row, std::span(expected.Row(place), found.places()))) << "place " << place;
  }
}

std::vector<Candidate> AllCandidates(const NodeCounter& node) {
  std::vector<Candidate> candidates;
  for (Feature j = 0; j < node.features(); ++j) {
    for (const Code code : node.present(j)) candidates.push_back({j, code});
  }
  return candidates;
}

// What a block reads from the table is what it would count; in a block of all candidates and in small ones.
void ExpectReadsCounts(NodeCounter& node, const PairTable& pairs) {
  const auto candidates = AllCandidates(node);
  for (const std::size_t width : {candidates.size(), std::size_t{7}}) {
    for (std::size_t first = 0; first < candidates.size(); first += width) {
      const auto some = std::span(candidates).subspan(first, std::min(width, candidates.size() - first));
      node.UsePairs(nullptr);
      const BlockCounts expected = node.Count(some);
      node.UsePairs(&pairs);
      const BlockCounts found = node.Count(some);
      for (Feature j = 0; j < node.features(); ++j) {
        ASSERT_EQ(found.present(j), expected.present(j));
        for (std::size_t i = 0; i < found.present(j); ++i) {
          ASSERT_TRUE(std::equal(found.Row(j, i), found.Row(j, i) + found.width(), expected.Row(j, i)))
              << "feature " << j << ", code " << i << ", from candidate " << first;
        }
      }
    }
  }
  node.UsePairs(nullptr);
}

// The node's children under each of some splits: counted, and subtracted from the parent's table.
void CheckChildren(const Data& data, std::span<const std::uint32_t> rows, NodeCounter& node, const PairTable& pairs,
                   int threads, int depth) {
  ExpectReadsCounts(node, pairs);
  const auto candidates = AllCandidates(node);
  for (std::size_t c = 0; depth > 0 && c < candidates.size(); c += candidates.size() / 6 + 1) {
    const auto [feature, value] = candidates[c];
    const RowSplit sides = node.Split({feature, {value}});
    std::vector<std::uint32_t> left;
    std::vector<std::uint32_t> right;
    for (const std::uint32_t row : rows) {
      (data.table.columns[feature].At(row) == value ? left : right).push_back(row);
    }
    if (left.empty() || right.empty()) continue;
    NodeCounter left_node(node, sides.left, left, node.CountSide(sides.left));
    NodeCounter right_node(node, sides.right, right, node.CountSide(sides.right));
    const PairTable left_pairs(left_node, pairs, threads);
    const PairTable right_pairs(right_node, pairs, threads);
    PairTable rest(node, pairs, threads);
    ExpectSame(rest, pairs);
    rest.Subtract(left_pairs, threads);
    ExpectSame(rest, right_pairs);
    CheckChildren(data, left, left_node, left_pairs, threads, depth - 1);
    CheckChildren(data, right, right_node, rest, threads, depth - 1);
  }
}

void CheckAll(const Data& data, int threads, int depth) {
  std::vector<std::uint32_t> rows(data.table.rows);
  std::iota(rows.begin(), rows.end(), std::uint32_t{0});
  const CountingTable counting(data.table, data.layout, data.weights);
  NodeCounter root(counting, rows, counting.CountRows(rows));
  ASSERT_TRUE(root.all_have_planes());
  const PairTable pairs(root, threads);
  EXPECT_EQ(pairs.bytes(), PairTable::BytesFor(root));
  CheckChildren(data, rows, root, pairs, threads, depth);
}

TEST(PairTable, NarrowFeatures) {
  OnEachTarget([] { CheckAll(Data({2, 3, 2, 7, 1, 4, 2}, 200, 0, 1), 1, 2); });
}

TEST(PairTable, SeveralBlocks) {
  OnEachTarget([] { CheckAll(Data({30, 2, 33, 12, 20, 3, 2, 2, 33, 5}, 400, 0, 2), 3, 1); });
}

TEST(PairTable, Weights) {
  OnEachTarget([] {
    CheckAll(Data({2, 3, 2, 7, 1, 4}, 150, 1, 3), 1, 2);
    CheckAll(Data({2, 30, 25, 3, 30, 2}, 300, 1000, 4), 2, 1);
  });
}

TEST(PairTable, FewRows) {
  for (const std::size_t rows : {1u, 2u, 5u, 63u, 64u, 65u, 128u, 129u}) CheckAll(Data({2, 3, 9}, rows, 0, 5), 1, 2);
}

TEST(PairTable, NothingToCount) { CheckAll(Data({1, 1}, 10, 0, 6), 2, 1); }

// Features with many codes have no planes: the grower makes no table for their nodes.
TEST(PairTable, OnlyWhereAllFeaturesHavePlanes) {
  const Data data({2, 200}, 500, 0, 7);
  std::vector<std::uint32_t> rows(data.table.rows);
  std::iota(rows.begin(), rows.end(), std::uint32_t{0});
  const CountingTable counting(data.table, data.layout, data.weights);
  EXPECT_FALSE(NodeCounter(counting, rows, counting.CountRows(rows)).all_have_planes());
}

}  // namespace
}  // namespace dtf
