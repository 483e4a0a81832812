#include "learn/forest/order_numbers.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "learn/forest/merge_rows.h"

namespace dtf {
namespace {

// Three grades, their sum, the sum by another list of its categories, and a column of few values.
ColumnKinds Kinds() {
  return {.sizes = {7, 7, 7, 19, 19, 3},
          .ordered = std::vector<bool>(6, false),
          .has_missing = {},
          .numbers = std::vector<bool>(6, true)};
}

WeightedRows Grades(std::size_t count, std::mt19937_64& random) {
  std::vector<Code> listed(19);
  for (Code code = 0; code < 19; ++code) listed[code] = code * 7 % 19;
  WeightedRows rows{CodeTable::WithSizes(count, Kinds().sizes), {}, 1};
  for (std::size_t i = 0; i < count; ++i) {
    Code sum = 0;
    for (Feature j = 0; j < 3; ++j) {
      rows.codes.columns[j].Set(i, static_cast<Code>(std::min(random() % 7, random() % 7)));
      sum += rows.codes.columns[j].At(i);
    }
    rows.codes.columns[3].Set(i, sum);
    rows.codes.columns[4].Set(i, listed[sum]);
    rows.codes.columns[5].Set(i, static_cast<Code>(random() % 3));
  }
  return MergeEqualRows(rows);
}

FoundRelations NothingFound(std::size_t columns) {
  return {std::vector<std::vector<ToldColumn>>(columns), std::vector<std::vector<Difference>>(columns)};
}

TEST(OrderNumbers, OrdersThoseThatAreBetterAskedSo) {
  std::mt19937_64 random(1);
  const WeightedRows rows = Grades(900, random);
  const std::vector<bool> ordered = OrderNumbers(rows, Kinds(), NothingFound(6), 0, 2);
  EXPECT_TRUE(ordered[3]);
  EXPECT_FALSE(ordered[4]);  // so listed, numbers say nothing
  EXPECT_FALSE(ordered[5]);  // few
  EXPECT_EQ(OrderNumbers(rows, Kinds(), NothingFound(6), 0, 1), ordered);
  // Whatever share of the rows was held out by others.
  for (const double fraction : {0.1, 0.3, 0.5}) {
    EXPECT_TRUE(OrderNumbers(HoldOut(Grades(1500, random), fraction).first, Kinds(), NothingFound(6), 0, 1)[3])
        << fraction;
  }
}

TEST(OrderNumbers, LeavesChanceAlone) {
  std::mt19937_64 random(3);
  const ColumnKinds kinds = {.sizes = std::vector<Code>(8, 9),
                             .ordered = std::vector<bool>(8, false),
                             .has_missing = {},
                             .numbers = std::vector<bool>(8, true)};
  WeightedRows rows{CodeTable::WithSizes(1000, kinds.sizes), {}, 1};
  for (std::size_t i = 0; i < 1000; ++i) {
    for (CodeColumn& column : rows.codes.columns) column.Set(i, static_cast<Code>(random() % 9));
  }
  const std::vector<bool> ordered = OrderNumbers(MergeEqualRows(rows), kinds, NothingFound(kinds.sizes.size()), 0, 1);
  EXPECT_LE(std::ranges::count(ordered, true), 1);
}

TEST(OrderNumbers, LeavesWhatIsOrderedOrAKeyAndWhatItCannotJudge) {
  std::mt19937_64 random(2);
  ColumnKinds kinds = Kinds();
  FoundRelations found = NothingFound(6);
  found.told[3] = {{.column = 5, .told = std::vector<Code>(19, 0)}};
  EXPECT_FALSE(OrderNumbers(Grades(900, random), kinds, found, 0, 1)[3]);
  kinds.ordered[4] = true;
  EXPECT_TRUE(OrderNumbers(Grades(900, random), kinds, NothingFound(kinds.sizes.size()), 0, 1)[4]);
  EXPECT_EQ(OrderNumbers(Grades(60, random), kinds, NothingFound(kinds.sizes.size()), 0, 1), kinds.ordered);
  kinds.numbers = {};
  EXPECT_EQ(OrderNumbers(Grades(900, random), kinds, NothingFound(kinds.sizes.size()), 0, 1), kinds.ordered);
}

}  // namespace
}  // namespace dtf
