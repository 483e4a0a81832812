#include "learn/forest/singletons.h"

#include <vector>

#include <gtest/gtest.h>

namespace dtf {
namespace {

// Values of 3 rows, 1, 1 and 2.
WeightedRows SomeRows() {
  WeightedRows rows{CodeTable::WithSizes(7, std::vector<Code>{4}), {}, 1};
  const std::vector<Code> codes{0, 0, 0, 1, 2, 3, 3};
  for (std::size_t i = 0; i < codes.size(); ++i) rows.codes.columns[0].Set(i, codes[i]);
  return rows;
}

TEST(CountSingletons, CountsRowsThatAloneHaveTheirValue) {
  WeightedRows rows = SomeRows();
  ColumnKinds kinds{.sizes = {4}, .ordered = {false}, .has_missing = {}};
  EXPECT_EQ(CountSingletons(rows, kinds), std::vector<double>{2});
  kinds.binned = {true};
  EXPECT_TRUE(CountSingletons(rows, kinds).empty());
  kinds.binned = {};
  rows.codes.columns[0].Set(6, 0);  // the last value is of one row, too, but missing
  kinds.has_missing = {true};
  EXPECT_EQ(CountSingletons(rows, kinds), std::vector<double>{2});
}

TEST(CountSingletons, OfARowThatStandsForSeveralAreNone) {
  WeightedRows rows = SomeRows();
  rows.weights = {1, 1, 1, 1, 2, 1, 1};
  EXPECT_TRUE(CountSingletons(rows, {.sizes = {4}, .ordered = {false}, .has_missing = {}}).empty());  // one is too few
}

}  // namespace
}  // namespace dtf
