#include "learn/hidden_tree/row_batches.h"

#include <map>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "learn/hidden_tree/hidden_tree_test_util.h"

namespace dtf {
namespace {

const std::vector<Code> kSizes = {60000, 2};

// Rows told apart by their first cell.
WeightedRows Numbered(std::size_t count) {
  WeightedRows rows{CodeTable::WithSizes(count, kSizes), {}, 1};
  for (std::size_t i = 0; i < count; ++i) rows.codes.columns[0].Set(i, static_cast<Code>(i));
  return rows;
}

// Of each row, by its first cell: its share of each batch it is in.
std::map<Code, std::vector<double>> SharesOf(RowBatches& batches, const ColumnTree& tree) {
  std::map<Code, std::vector<double>> shares;
  for (std::size_t batch = 0; batch < batches.count(); ++batch) {
    const SubtreePatterns& patterns = batches.PatternsOf(batch);
    const std::size_t at = tree.order[0] == 0 ? 0 : 1;
    EXPECT_EQ(at, 0u);
    for (std::size_t i = 0; i < patterns.shares.size(); ++i) {
      shares[patterns.columns[0].codes[i]].push_back(patterns.shares[i]);
    }
  }
  return shares;
}

TEST(RowBatches, HaveEachRowOnce) {
  const ColumnTree tree = TreeOf({{}, {0}});
  const WeightedRows rows = Numbered(3000);
  RowBatches batches(tree, rows);
  ASSERT_EQ(batches.count(), 6u);
  batches.Deal(1, 0, 0);
  const auto shares = SharesOf(batches, tree);
  ASSERT_EQ(shares.size(), 3000u);
  for (const auto& [row, of_row] : shares) {
    ASSERT_EQ(of_row.size(), 1u);
    EXPECT_NEAR(of_row[0], 1.0 / 500, 1e-7);
  }
}

TEST(RowBatches, SpreadHeavyRowsOverSeveral) {
  const ColumnTree tree = TreeOf({{}, {0}});
  WeightedRows rows = Numbered(3000);
  rows.weights.assign(3000, 4);
  rows.unit = 0.25;
  rows.weights[7] = 4 * 3;     // of three rows
  rows.weights[8] = 4 * 1000;  // of a quarter of all
  RowBatches batches(tree, rows);
  ASSERT_EQ(batches.count(), 8u);
  for (const std::uint64_t deal : {0, 10}) {
    batches.Deal(1, 0, deal);
    const auto shares = SharesOf(batches, tree);
    ASSERT_EQ(shares.size(), 3000u);
    EXPECT_EQ(shares.at(6).size(), 1u);
    EXPECT_EQ(shares.at(7).size(), 3u);
    ASSERT_EQ(shares.at(8).size(), 8u);
    for (const double share : shares.at(8)) EXPECT_NEAR(share, 0.25, 0.01);
  }
}

TEST(RowBatches, AreFewForFewDistinctRows) {
  const ColumnTree tree = TreeOf({{}, {0}});
  WeightedRows rows = Numbered(1000);
  rows.weights.assign(1000, 1000000);
  EXPECT_EQ(RowBatches(tree, rows).count(), 8u);
}

TEST(RowBatches, AreDealtByChance) {
  const ColumnTree tree = TreeOf({{}, {0}});
  const WeightedRows rows = Numbered(1200);
  RowBatches batches(tree, rows);
  const auto codes = [&](std::uint64_t seed, std::uint64_t number, std::uint64_t deal) {
    batches.Deal(seed, number, deal);
    return batches.PatternsOf(0).columns[0].codes;
  };
  const auto first = codes(1, 0, 0);
  EXPECT_EQ(codes(1, 0, 0), first);
  EXPECT_NE(codes(2, 0, 0), first);
  EXPECT_NE(codes(1, 1, 0), first);
  EXPECT_NE(codes(1, 0, 10), first);
}

}  // namespace
}  // namespace dtf
