#include "count/targets.h"

#include <gtest/gtest.h>

namespace dtf {
namespace {

TEST(Targets, TheForcedOneRuns) {
  const auto targets = CountingTargets();
  ASSERT_FALSE(targets.empty());
  for (const char* target : targets) {
    EXPECT_TRUE(ForceCountingTarget(target));
    EXPECT_STREQ(CountingTarget(), target);
  }
  EXPECT_TRUE(ForceCountingTarget(nullptr));
  EXPECT_STREQ(CountingTarget(), targets.front());
}

TEST(Targets, UnknownOneIsRefused) {
  EXPECT_FALSE(ForceCountingTarget("abacus"));
  EXPECT_STREQ(CountingTarget(), CountingTargets().front());
}

}  // namespace
}  // namespace dtf
