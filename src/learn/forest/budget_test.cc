#include "learn/forest/budget.h"

#include <gtest/gtest.h>

namespace dtf {
namespace {

TEST(Budget, AffordsWhatIsLeftOfAShare) {
  const ForestOptions options;
  Budget budget(1000, 16, false, options);
  EXPECT_TRUE(budget.Affords(budget.total()));
  budget.Use(0.3 * budget.total());
  EXPECT_TRUE(budget.Affords(0.19 * budget.total(), 0.5));
  EXPECT_FALSE(budget.Affords(0.21 * budget.total(), 0.5));
  budget.Return(0.1 * budget.total());
  EXPECT_TRUE(budget.Affords(0.21 * budget.total(), 0.5));
  EXPECT_FALSE(budget.Affords(0.81 * budget.total()));
}

TEST(Budget, IsNoneWhenMembersAreCounted) {
  ForestOptions options;
  options.members = 2;
  Budget budget(1000, 16, false, options);
  budget.Use(2 * budget.total());
  EXPECT_TRUE(budget.Affords(budget.total(), 0.1));
}

// A dear member that is not begun must not be followed by a cheap one: the members would not be the first ones of
// those that a number asks for.
TEST(Budget, OnceOutOfTimeAffordsNothing) {
  ForestOptions options;
  options.seconds = 1e9;
  Budget budget(1000, 16, false, options);
  budget.Use(1);
  EXPECT_TRUE(budget.Affords(1));
  EXPECT_FALSE(budget.Affords(1e300));
  EXPECT_TRUE(budget.is_out_of_time());
  EXPECT_FALSE(budget.Affords(0));
}

TEST(Budget, GrowsWithTheCellsUpToMinutes) {
  const ForestOptions options;
  const auto total = [&](std::size_t rows, std::size_t columns, bool cross_validates) {
    return Budget(rows, columns, cross_validates, options).total();
  };
  EXPECT_LT(total(100, 10, false), total(1000, 10, false));
  EXPECT_LT(total(1000, 10, false), total(1000, 100, false));
  EXPECT_EQ(total(1000000, 10000, false), total(100000000, 10000, false));
  EXPECT_LT(total(1000, 10, false), total(1000, 10, true));
}

}  // namespace
}  // namespace dtf
