#include "learn/questions/key_columns.h"

#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace dtf {
namespace {

constexpr Code kMerchants = 300;
constexpr Code kVisits = 3000;
const std::vector<Code> kSizes = {12, kMerchants, 5, kVisits, 3};
const std::vector<bool> kNominal(5, false);

// A trade, the merchant that it is known of, the merchant's country, a number of the visit, and something else.
WeightedRows Visits(double wrong, std::mt19937_64& random) {
  WeightedRows rows{CodeTable::WithSizes(kVisits, kSizes), {}, 1};
  for (std::size_t i = 0; i < kVisits; ++i) {
    const auto merchant = static_cast<Code>(random() % kMerchants);
    const bool is_wrong = static_cast<double>(random() % 1000) < 1000 * wrong;
    rows.codes.columns[0].Set(i, is_wrong ? static_cast<Code>(random() % 12) : merchant * 7 % 12);
    rows.codes.columns[1].Set(i, merchant);
    rows.codes.columns[2].Set(i, merchant * 3 % 5);
    rows.codes.columns[3].Set(i, static_cast<Code>(i));
    rows.codes.columns[4].Set(i, static_cast<Code>(random() % 3));
  }
  return rows;
}

TEST(FindToldColumns, FindsWhatAKeyTellsThoseOfFewCategoriesFirst) {
  std::mt19937_64 random(1);
  const WeightedRows rows = Visits(0.02, random);
  const auto told = FindToldColumns(rows, kSizes, kNominal);
  ASSERT_EQ(told[1].size(), 2u);
  EXPECT_EQ(told[1][0].column, 2u);
  EXPECT_EQ(told[1][1].column, 0u);
  for (Code merchant = 0; merchant < kMerchants; ++merchant) EXPECT_EQ(told[1][0].told[merchant], merchant * 3 % 5);
  for (const std::size_t other : {0, 2, 3, 4}) EXPECT_TRUE(told[other].empty()) << other;  // a visit does not return
}

TEST(FindToldColumns, LeavesOutWhatIsOftenWrongAndOrderedColumns) {
  std::mt19937_64 random(2);
  const WeightedRows rows = Visits(0.3, random);
  EXPECT_EQ(FindToldColumns(rows, kSizes, kNominal)[1].size(), 1u);
  EXPECT_TRUE(FindToldColumns(rows, kSizes, {false, true, false, false, false})[1].empty());
}

TEST(FindToldColumns, TakesAWeightForSoManyRows) {
  std::mt19937_64 random(3);
  WeightedRows weighted = Visits(0.05, random);
  std::vector<std::size_t> copies;
  for (std::size_t i = 0; i < kVisits; ++i) {
    weighted.weights.push_back(1 + i % 3);
    copies.insert(copies.end(), weighted.weights[i], i);
  }
  const auto told = FindToldColumns(weighted, kSizes, kNominal);
  const auto of_copies = FindToldColumns({weighted.codes.Select(copies), {}, 1}, kSizes, kNominal);
  for (std::size_t j = 0; j < kSizes.size(); ++j) {
    ASSERT_EQ(told[j].size(), of_copies[j].size());
    for (std::size_t k = 0; k < told[j].size(); ++k) EXPECT_EQ(told[j][k].told, of_copies[j][k].told);
  }
}

// Two light rows of a merchant are one that returns, too.
TEST(FindToldColumns, OfLightRowsFindsTheSame) {
  std::mt19937_64 random(5);
  WeightedRows rows = Visits(0.02, random);
  const auto told = FindToldColumns(rows, kSizes, kNominal);
  rows = MakeWeightedRows(rows.codes, std::vector<double>(kVisits, 0x1p-4));
  const auto of_light = FindToldColumns(rows, kSizes, kNominal);
  for (std::size_t j = 0; j < kSizes.size(); ++j) {
    ASSERT_EQ(of_light[j].size(), told[j].size());
    for (std::size_t k = 0; k < told[j].size(); ++k) EXPECT_EQ(of_light[j][k].told, told[j][k].told);
  }
}

// A merchant of no rows is not known to have a trade; what is always the same is told by nothing.
TEST(FindToldColumns, SaysNothingOfWhatItHasNotSeen) {
  std::mt19937_64 random(4);
  WeightedRows rows = Visits(0, random);
  for (std::size_t i = 0; i < kVisits; ++i) {
    if (rows.codes.columns[1].At(i) == 7) rows.codes.columns[1].Set(i, 19);  // of the same trade and country
    rows.codes.columns[4].Set(i, 0);
  }
  const auto told = FindToldColumns(rows, kSizes, kNominal);
  ASSERT_EQ(told[1].size(), 2u);
  for (const ToldColumn& column : told[1]) {
    EXPECT_EQ(column.told[7], kSizes[column.column]);
    EXPECT_LT(column.told[8], kSizes[column.column]);
  }
}

}  // namespace
}  // namespace dtf
