#include "learn/leave_one_out.h"

#include <gtest/gtest.h>

namespace dtf {
namespace {

TEST(RowSum, LeavesOutACopyOfRowsThatStandForSeveral) {
  RowSum sum;
  for (const double weight : {1.0, 3.0}) sum.Add(weight, OwnRows(weight, 1));
  EXPECT_EQ(sum.rows(), 4);
  EXPECT_EQ(sum.Own(), 1);
  EXPECT_EQ(sum.Others(), 3);
  EXPECT_EQ(sum.Effective(), 4);
}

TEST(RowSum, LeavesOutRowsOfFractionalWeightsInTheMean) {
  RowSum sum;
  for (const double weight : {0.5, 1.5}) sum.Add(weight, OwnRows(weight, 1.5));
  EXPECT_EQ(sum.Own(), 1.25);
  EXPECT_EQ(sum.Others(), 0.75);
  EXPECT_EQ(sum.Effective(), 1.6);
}

TEST(RowSum, OfNoRowsIsNothing) {
  EXPECT_EQ(RowSum().Own(), 0);
  EXPECT_EQ(RowSum().Others(), 0);
  EXPECT_EQ(RowSum().Effective(), 0);
}

}  // namespace
}  // namespace dtf
