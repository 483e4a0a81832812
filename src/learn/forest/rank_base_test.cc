#include "learn/forest/rank_base.h"

#include <gtest/gtest.h>

namespace dtf {
namespace {

TEST(SumOf, CountsPartsOfSeveralUnitsInTheFinest) {
  const RankCounts whole{.counts = {{3, 1}, {0, 4}}, .unit = 1};
  const RankCounts fine{.counts = {{5, 2}, {6, 1}}, .unit = 0.25};
  const RankCounts all = SumOf({whole, fine});
  EXPECT_EQ(all.unit, 0.25);
  EXPECT_EQ(all.counts, (std::vector<std::vector<std::uint64_t>>{{17, 6}, {6, 17}}));
  EXPECT_EQ(all.Total(), 23u);
  EXPECT_EQ(SumOf({whole, fine}, 0).counts, fine.counts);
}

}  // namespace
}  // namespace dtf
