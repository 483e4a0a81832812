#include "learn/forest/merge_rows.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace dtf {
namespace {

std::vector<Code> Row(const WeightedRows& rows, std::size_t i) {
  std::vector<Code> row;
  for (const CodeColumn& column : rows.codes.columns) row.push_back(column.At(i));
  return row;
}

std::map<std::vector<Code>, std::uint64_t> BagOf(const WeightedRows& rows) {
  std::map<std::vector<Code>, std::uint64_t> bag;
  for (std::size_t i = 0; i < rows.codes.rows; ++i) bag[Row(rows, i)] += rows.WeightOf(i);
  return bag;
}

// Few different codes, so that rows repeat, of columns with cells of all widths.
WeightedRows RandomRows(std::size_t rows, bool weighted, std::mt19937_64& random) {
  const std::vector<Code> sizes = {3, 70000, 2, 300};
  WeightedRows table;
  table.codes = CodeTable::WithSizes(rows, sizes);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      table.codes.columns[j].Set(i, sizes[j] - static_cast<Code>(random() % 2));
      if (random() % 4 == 0) table.codes.columns[j].Set(i, static_cast<Code>(random() % 2));
    }
    if (weighted) table.weights.push_back(1 + random() % 5);
  }
  return table;
}

TEST(MergeEqualRows, KeepsTheBagOfRowsSortedAndDistinct) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 50; ++round) {
    WeightedRows rows = RandomRows(1 + random() % 300, round % 2 == 1, random);
    if (round % 4 == 3) rows.unit = 0x1p-16;
    const WeightedRows merged = MergeEqualRows(rows);
    EXPECT_EQ(merged.unit, rows.unit);
    EXPECT_EQ(merged.TotalRows(), rows.TotalRows());
    EXPECT_EQ(BagOf(merged), BagOf(rows));
    for (std::size_t i = 1; i < merged.codes.rows; ++i) EXPECT_LT(Row(merged, i - 1), Row(merged, i));
  }
}

TEST(MergeEqualRows, GivesTheSameRowsInAnyOrderOnceOrTwice) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 20; ++round) {
    const WeightedRows rows = RandomRows(100, round % 2 == 1, random);
    const WeightedRows merged = MergeEqualRows(rows);
    std::vector<std::size_t> order(100);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    WeightedRows shuffled{rows.codes.Select(order), {}, 1};
    for (const std::size_t row : order) {
      if (!rows.weights.empty()) shuffled.weights.push_back(rows.weights[row]);
    }
    for (const WeightedRows& again : {MergeEqualRows(shuffled), MergeEqualRows(merged)}) {
      EXPECT_EQ(again.weights, merged.weights);
      ASSERT_EQ(again.codes.rows, merged.codes.rows);
      for (std::size_t i = 0; i < again.codes.rows; ++i) EXPECT_EQ(Row(again, i), Row(merged, i));
    }
  }
}

// What is learnt from rows of weight 1 must not depend on whether that was said.
TEST(MergeEqualRows, HasNoWeightsWhenAllRowsAreSingle) {
  WeightedRows rows{CodeTable::WithSizes(3, std::vector<Code>{3}), {}, 1};
  for (Code code = 0; code < 3; ++code) rows.codes.columns[0].Set(code, 2 - code);
  EXPECT_TRUE(MergeEqualRows(rows).weights.empty());
  rows.weights = {1, 1, 1};
  EXPECT_TRUE(MergeEqualRows(rows).weights.empty());
  rows.unit = 0x1p-16;
  EXPECT_EQ(MergeEqualRows(rows).weights, (std::vector<std::uint64_t>{1, 1, 1}));
}

}  // namespace
}  // namespace dtf
