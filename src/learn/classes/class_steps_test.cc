#include "learn/classes/class_steps.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace dtf {
namespace {

TEST(PaceFor, SeesEachRowAsOftenAsAskedFor) {
  for (const double rows : {3.0, 40.0, 1000.0, 1e6}) {
    for (const double passes : {0.5, 20.0}) {
      const Pace pace = PaceFor(rows, passes, 64);
      EXPECT_LE(pace.batch, 64u);
      const auto seen = static_cast<double>(pace.batch * pace.steps);
      EXPECT_GE(seen, passes * rows);
      EXPECT_LT(seen, passes * rows + static_cast<double>(pace.batch));
    }
  }
}

// The first step is of the rate itself, whatever Adam's means began with; the last one is next to none.
TEST(StepSizes, FallFromTheRateToNothing) {
  const Pace pace{.batch = 10, .steps = 100};
  StepSizes sizes(pace);
  double last = 1;
  for (std::size_t step = 0; step < pace.steps; ++step) {
    sizes.Next();
    const AdamStep size = sizes.Of(0.5, 0.1);
    const double mean_kept = std::pow(static_cast<double>(kMeanKept), static_cast<double>(step + 1));
    const double rate = static_cast<double>(size.rate) * (1 - mean_kept);
    if (step == 0) {
      EXPECT_NEAR(rate, 0.5, 1e-6);
    }
    EXPECT_LE(rate, last + 1e-6);
    EXPECT_NEAR(size.decay, 0.1 * rate, 1e-6);
    EXPECT_EQ(size.share, 0.1f);
    last = rate;
  }
  EXPECT_LT(last, 1e-3);
}

// Each part of the table, by weight, gives one row of a batch.
TEST(RowDraws, DrawByWeight) {
  WeightedRows rows{CodeTable::WithSizes(4, std::vector<Code>{2}), {1, 0, 6, 1}, 1};
  const RowDraws draws(rows, 1, 0);
  std::vector<int> drawn(4);
  for (std::size_t step = 0; step < 100; ++step) {
    for (const std::size_t i : draws.Draw(step, 8)) ++drawn[i];
  }
  EXPECT_EQ(drawn, (std::vector<int>{100, 0, 600, 100}));
  EXPECT_EQ(draws.Draw(5, 8), RowDraws(rows, 1, 0).Draw(5, 8));
}

}  // namespace
}  // namespace dtf
