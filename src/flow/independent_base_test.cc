#include "flow/independent_base.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace dtf {
namespace {

Ragged<std::uint64_t> Counts(const std::vector<std::vector<std::uint64_t>>& lists) {
  Ragged<std::uint64_t> counts;
  for (const auto& list : lists) counts.Append(list);
  return counts;
}

TEST(IndependentBase, SmoothsAsThePaperDoes) {
  const IndependentBase base(Counts({{1, 3, 0}}), 1, 0.5, true);
  EXPECT_NEAR(base.LogProb(0, 1), std::log(3.5 / 5.5), 1e-15);
  EXPECT_NEAR(base.LogProb(0, 2), std::log(0.5 / 5.5), 1e-15);
  EXPECT_EQ(base.UnseenMass(), 0);
}

TEST(IndependentBase, KeepsMassForTheUnseen) {
  const IndependentBase base(Counts({{1, 3}, {4}}), 1, 0.5, false);
  const double first = 0.5 / (4 + 0.5 * 3);
  const double second = 0.5 / (4 + 0.5 * 2);
  EXPECT_NEAR(std::exp(base.LogProb(0, 2)), first, 1e-15);
  EXPECT_NEAR(std::exp(base.LogProb(1, 1)), second, 1e-15);
  EXPECT_NEAR(base.UnseenMass(), 1 - (1 - first) * (1 - second), 1e-15);
  EXPECT_NEAR(std::exp(base.LogProb(0, 0)) + std::exp(base.LogProb(0, 1)), 1 - first, 1e-15);
}

TEST(IndependentBase, CountsInUnits) {
  const IndependentBase whole(Counts({{1, 3}}), 1, 0.5, false);
  const IndependentBase parts(Counts({{65536, 3 * 65536}}), 0x1p-16, 0.5, false);
  for (Code code = 0; code <= 2; ++code) EXPECT_EQ(whole.LogProb(0, code), parts.LogProb(0, code));
}

TEST(IndependentBase, DrawsEachCategoryAsOftenAsItsMass) {
  RandomStream random(4, RandomPurpose::kSample, 0);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::uint64_t> counts(1 + random.Below(40));
    for (auto& count : counts) count = random.Below(3) == 0 ? 0 : random.Below(1000);
    counts.back() += 1;
    const IndependentBase base(Counts({{5}, counts}), 1, 0, true);
    constexpr int kDraws = 20000;
    std::vector<int> seen(counts.size(), 0);
    for (int i = 0; i < kDraws; ++i) ++seen[base.Draw(1, random.Next())];
    for (Code code = 0; code < counts.size(); ++code) {
      const double p = std::exp(base.LogProb(1, code));
      EXPECT_NEAR(seen[code], kDraws * p, 5 * std::sqrt(kDraws * p * (1 - p)) + 1e-9);
    }
    EXPECT_EQ(base.Draw(0, random.Next()), 0u);
  }
}

TEST(IndependentBase, NeverDrawsWhatHasNoMass) {
  const IndependentBase base(Counts({{0, 2, 0, 3, 0}}), 1, 0, true);
  EXPECT_EQ(base.LogProb(0, 0), -std::numeric_limits<double>::infinity());
  for (std::uint64_t high = 0; high < 5; ++high) {
    for (const std::uint64_t low : {std::uint64_t{0}, ~std::uint64_t{0} / 5}) {
      const Code code = base.Draw(0, high * (~std::uint64_t{0} / 5) + low);
      EXPECT_TRUE(code == 1 || code == 3) << high << " " << low;
    }
  }
}

TEST(IndependentBase, MeanNllIsTheRowsMean) {
  const IndependentBase base(Counts({{1, 3}, {2, 2}}), 1, 0.5, false);
  const double expected = -(base.LogProb(0, 0) + 3 * base.LogProb(0, 2)) / 4 - base.LogProb(1, 1);
  EXPECT_NEAR(base.MeanNll(Counts({{1, 0, 3}, {0, 4, 0}})), expected, 1e-12);
}

}  // namespace
}  // namespace dtf
