#include "learn/weighted_rows.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "dtf/error.h"

namespace dtf {
namespace {

using Bag = std::map<std::vector<Code>, std::uint64_t>;  // weight of each different row

Bag BagOf(const WeightedRows& rows) {
  Bag bag;
  for (std::size_t i = 0; i < rows.codes.rows; ++i) {
    std::vector<Code> row;
    for (const auto& column : rows.codes.columns) row.push_back(column.At(i));
    bag[row] += rows.WeightOf(i);
  }
  return bag;
}

CodeTable RandomCodes(std::size_t rows) {
  RandomStream random(1, RandomPurpose::kShuffle, rows);
  CodeTable table = CodeTable::WithSizes(rows, std::vector<Code>{3, 2});
  for (std::size_t i = 0; i < rows; ++i) {
    table.columns[0].Set(i, static_cast<Code>(random.Below(3)));
    table.columns[1].Set(i, static_cast<Code>(random.Below(2)));
  }
  return table;
}

TEST(WeightedRows, KeepsWholeWeightsExactlyAndFractionsInSteps) {
  const WeightedRows whole = MakeWeightedRows(RandomCodes(3), std::vector<double>{2, 0, 5});
  EXPECT_EQ(whole.unit, 1);
  EXPECT_EQ(whole.weights, (std::vector<std::uint64_t>{2, 5}));
  const WeightedRows fractions = MakeWeightedRows(RandomCodes(3), std::vector<double>{0.5, 1, 1.25});
  EXPECT_EQ(fractions.unit, 0.25);
  EXPECT_EQ(fractions.weights, (std::vector<std::uint64_t>{2, 4, 5}));
  EXPECT_EQ(fractions.TotalRows(), 2.75);
  EXPECT_TRUE(MakeWeightedRows(RandomCodes(2), std::vector<double>{1, 1}).weights.empty());
  const WeightedRows least = MakeWeightedRows(RandomCodes(3), std::vector<double>{kLeastWeight, 0, 1});
  EXPECT_EQ(least.weights, (std::vector<std::uint64_t>{1, 65536}));
  EXPECT_EQ(least.unit, 0x1p-16);
  const WeightedRows even = MakeWeightedRows(RandomCodes(2), std::vector<double>{2, 4});
  EXPECT_EQ(even.unit, 1);  // of whole weights a copy is one row
  EXPECT_EQ(even.weights, (std::vector<std::uint64_t>{2, 4}));
}

TEST(WeightedRows, CountsEachCategoryByWeight) {
  WeightedRows rows;
  rows.codes = CodeTable::WithSizes(5, std::vector<Code>{3});
  for (std::size_t i = 0; i < 5; ++i) rows.codes.columns[0].Set(i, std::vector<Code>{2, 0, 3, 2, 0}[i]);  // 3: unseen
  EXPECT_EQ(rows.CountCategories(0, 3), (std::vector<std::uint64_t>{2, 0, 2}));
  rows.weights = {5, 1, 7, 10, 2};
  EXPECT_EQ(rows.CountCategories(0, 3), (std::vector<std::uint64_t>{3, 0, 15}));
  rows.unit = 0.5;
  EXPECT_EQ(rows.CategoryWeights(0, 3), (std::vector<double>{1.5, 0, 7.5}));
  EXPECT_EQ(rows.RowWeight(3), 5);
}

TEST(HoldOut, TakesAboutTheShareAndLosesNothing) {
  const WeightedRows rows{RandomCodes(20000), {}, 1};
  const auto [train, held_out] = HoldOut(rows, 0.1);
  EXPECT_NEAR(held_out.TotalRows(), 2000, 5 * 42.5);
  Bag together = BagOf(train);
  for (const auto& [row, weight] : BagOf(held_out)) together[row] += weight;
  EXPECT_EQ(together, BagOf(rows));
}

TEST(HoldOut, DependsNeitherOnTheOrderOfRowsNorOnMerging) {
  const WeightedRows rows{RandomCodes(500), {}, 1};
  std::vector<std::size_t> reversed(500);
  std::iota(reversed.rbegin(), reversed.rend(), std::size_t{0});
  const WeightedRows turned{rows.codes.Select(reversed), {}, 1};
  EXPECT_EQ(BagOf(HoldOut(turned, 0.3).second), BagOf(HoldOut(rows, 0.3).second));

  CodeTable distinct = CodeTable::WithSizes(6, std::vector<Code>{3, 2});
  std::vector<double> weights;
  for (const auto& [row, weight] : BagOf(rows)) {
    for (std::size_t j = 0; j < 2; ++j) distinct.columns[j].Set(weights.size(), row[j]);
    weights.push_back(static_cast<double>(weight));
  }
  ASSERT_EQ(weights.size(), 6u);
  const WeightedRows merged = MakeWeightedRows(distinct, weights);
  EXPECT_EQ(BagOf(HoldOut(merged, 0.3).second), BagOf(HoldOut(rows, 0.3).second));
}

// Lines one by one, all at once, and in parts.
TEST(HoldOut, DoesNotDependOnMergingHoweverManyCopiesThereAre) {
  constexpr std::size_t kCopies = 5000;
  const CodeTable row = RandomCodes(1);
  const std::vector<std::size_t> lines(kCopies, 0);
  for (const double share : {0.001, 0.3, 0.75}) {
    const Bag expected = BagOf(HoldOut({row.Select(lines), {}, 1}, share).second);
    EXPECT_EQ(BagOf(HoldOut({row, {kCopies}, 1}, share).second), expected);
    EXPECT_EQ(BagOf(HoldOut({row.Select(std::vector<std::size_t>(3, 0)), {7, 1500, 3493}, 1}, share).second), expected);
  }
}

TEST(HoldOut, PutsEachOfManyCopiesInOneFold) {
  const WeightedRows rows{RandomCodes(1), {1'000'003}, 1};
  double together = 0;
  for (int fold = 0; fold < 7; ++fold) {
    const double held_out = HoldOutFold(rows, fold, 7).second.TotalRows();
    EXPECT_NEAR(held_out, 1'000'003 / 7.0, 100);
    together += held_out;
  }
  EXPECT_EQ(together, 1'000'003);
}

TEST(HoldOut, OfHugeWeightsTakesTheShare) {
  const WeightedRows rows = MakeWeightedRows(RandomCodes(1), std::vector<double>{1e10});
  EXPECT_NEAR(HoldOut(rows, 0.25).second.TotalRows(), 2.5e9, 100);
}

// ---------------------------------------------------------------- Coarse weights

double CoarseTotal(const CoarseWeights& coarse) {
  return coarse.unit * static_cast<double>(std::accumulate(coarse.weights.begin(), coarse.weights.end(), 0ull));
}

TEST(Coarsen, KeepsWhatLightRowsWeighTogether) {
  std::vector<double> weights(3000, 1);
  weights[0] = 1000;
  const WeightedRows rows = MakeWeightedRows(RandomCodes(3000), weights);
  const CoarseWeights fine = Coarsen(rows, 4000, 0);
  EXPECT_EQ(fine.unit, 1);
  EXPECT_EQ(std::vector<std::uint64_t>(fine.weights.begin(), fine.weights.end()), rows.weights);
  const CoarseWeights coarse = Coarsen(rows, 600, 0);
  EXPECT_EQ(coarse.unit, 8);
  EXPECT_NEAR(CoarseTotal(coarse), 3999, 8);
  EXPECT_NEAR(coarse.weights[0], 125, 1);
  const CoarseWeights least = Coarsen(rows, 600, 1);
  EXPECT_EQ(std::ranges::min(least.weights), 1u);
}

TEST(Coarsen, DependsNeitherOnTheOrderOfRowsNorOnMerging) {
  const auto bag_of = [](const WeightedRows& rows) {
    const CoarseWeights coarse = Coarsen(rows, 100, 0);
    EXPECT_EQ(coarse.unit, 8);
    WeightedRows as_coarse{rows.codes, {coarse.weights.begin(), coarse.weights.end()}, 1};
    return BagOf(as_coarse);
  };
  const WeightedRows lines{RandomCodes(500), std::vector<std::uint64_t>(500, 1), 1};
  std::vector<std::size_t> reversed(500);
  std::iota(reversed.rbegin(), reversed.rend(), std::size_t{0});
  EXPECT_EQ(bag_of({lines.codes.Select(reversed), lines.weights, 1}), bag_of(lines));

  WeightedRows merged{CodeTable::WithSizes(6, std::vector<Code>{3, 2}), {}, 1};
  for (const auto& [row, weight] : BagOf(lines)) {
    for (std::size_t j = 0; j < 2; ++j) merged.codes.columns[j].Set(merged.weights.size(), row[j]);
    merged.weights.push_back(weight);
  }
  EXPECT_EQ(bag_of(merged), bag_of(lines));
}

// ---------------------------------------------------------------- Halves

// Equal rows of unequal weight, too.
TEST(HoldOut, DoesNotDependOnTheOrderOfFractionalRows) {
  const CodeTable codes = RandomCodes(200);
  std::vector<double> weights;
  std::vector<std::size_t> backwards;
  for (std::size_t i = 0; i < 200; ++i) {
    weights.push_back(i % 4 < 2 ? 0.5 : 1.5);
    backwards.push_back(199 - i);
  }
  const std::vector<double> reversed(weights.rbegin(), weights.rend());
  const auto [train, held_out] = HoldOut(MakeWeightedRows(codes, weights), 0.3);
  const auto [same_train, same_held_out] = HoldOut(MakeWeightedRows(codes.Select(backwards), reversed), 0.3);
  EXPECT_GT(held_out.codes.rows, 0u);
  EXPECT_EQ(BagOf(train), BagOf(same_train));
  EXPECT_EQ(BagOf(held_out), BagOf(same_held_out));
}

// Copies by turns: half of each row's, give or take one, in the order of the rows.
TEST(Halve, PutsHalfOfTheCopiesOfEachRowInEachHalf) {
  const CodeTable codes = RandomCodes(60);
  for (const std::vector<double>& weights : {std::vector<double>(), std::vector<double>(60, 0.75)}) {
    WeightedRows rows{codes, {}, 1};
    if (!weights.empty()) rows = MakeWeightedRows(codes, weights);
    const auto [halved, first_half] = Halve(rows);
    EXPECT_EQ(halved.codes.rows, 60u);
    EXPECT_EQ(first_half, 30u);
    EXPECT_EQ(BagOf(halved), BagOf(rows));
  }
  WeightedRows merged{CodeTable::WithSizes(4, std::vector<Code>{4}), {1, 9, 4, 1}, 1};
  for (Code i = 0; i < 4; ++i) merged.codes.columns[0].Set(i, i);
  const auto [halved, first_half] = Halve(merged);
  EXPECT_EQ(halved.weights, (std::vector<std::uint64_t>{1, 4, 2, 1, 5, 2}));
  EXPECT_EQ(first_half, 4u);
  EXPECT_EQ(BagOf(halved), BagOf(merged));
}

}  // namespace
}  // namespace dtf
