#include "count/logistic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "count/target_test_util.h"

namespace dtf {
namespace {

constexpr std::size_t kWords = 9;
constexpr std::size_t kRows = 64 * kWords - 17;

struct Case {
  Case() : logits(64 * kWords), yes(kWords), weights(64 * kWords) {
    std::mt19937_64 random(1);
    for (Logit& logit : logits) logit = static_cast<Logit>(random() % (1 << 20)) - (1 << 19);  // 8 nats
    logits[0] = 0;
    logits[1] = 1 << 30;
    logits[2] = -(1 << 30);
    logits[3] = 1;
    for (auto& word : yes) word = random();
    for (std::size_t i = 0; i < kRows; ++i) weights[i] = static_cast<float>(random() % 1000 + 1) / 1000.0f;
  }

  bool IsYes(std::size_t row) const { return yes[row / 64] >> (row % 64) & 1; }
  long double Margin(std::size_t row) const {
    const long double nats = static_cast<long double>(logits[row]) * kLogitUnit;
    return IsYes(row) ? nats : -nats;
  }

  std::vector<Logit> logits;
  std::vector<std::uint64_t> yes;
  std::vector<float> weights;
};

struct Found {
  std::vector<std::int32_t> gradients = std::vector<std::int32_t>(64 * kWords, -1);
  std::vector<std::int32_t> hessians = std::vector<std::int32_t>(64 * kWords, -1);
  DerivativeBounds bounds;
};

Found Find(const Case& c, bool weighted) {
  Found found;
  found.bounds = FindDerivatives(c.logits, c.yes.data(), weighted ? c.weights : std::vector<float>(), kRows,
                                 {found.gradients, found.hessians});
  return found;
}

TEST(Logistic, DerivativesAreThoseOfTheLogLoss) {
  const Case c;
  for (const bool weighted : {false, true}) {
    const Found found = Find(c, weighted);
    std::int32_t most_gradient = 1;
    std::int32_t most_hessian = 1;
    for (std::size_t i = 0; i < 64 * kWords; ++i) {
      const long double weight = i >= kRows ? 0 : weighted ? static_cast<long double>(c.weights[i]) : 1;
      const long double wrong = 1 / (1 + std::exp(c.Margin(i)));
      const long double gradient = 0x1p21L * weight * (c.IsYes(i) ? wrong : -wrong);
      EXPECT_NEAR(found.gradients[i], static_cast<double>(gradient), 3) << "row " << i;
      EXPECT_NEAR(found.hessians[i], static_cast<double>(0x1p21L * weight * wrong * (1 - wrong)), 3) << "row " << i;
      most_gradient = std::max(most_gradient, std::abs(found.gradients[i]));
      most_hessian = std::max(most_hessian, found.hessians[i]);
    }
    EXPECT_EQ(found.bounds.gradient, most_gradient);
    EXPECT_EQ(found.bounds.hessian, most_hessian);
  }
}

TEST(Logistic, LossesAreMinusTheLogProbability) {
  const Case c;
  std::vector<std::int32_t> losses(64 * kWords);
  FindLosses(c.logits, c.yes.data(), losses);
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const long double margin = c.Margin(i);
    const long double loss = std::min(std::log1p(std::exp(-std::abs(margin))) + std::max(-margin, 0.0L), 2047.0L);
    EXPECT_NEAR(losses[i], static_cast<double>(loss * 0x1p20L), 2 + 1e-6 * static_cast<double>(loss * 0x1p20L));
  }
}

struct Quantised {
  std::vector<int> gradients = std::vector<int>(64 * kWords);
  std::vector<int> hessians = std::vector<int>(64 * kWords);
};

Quantised Quantise(const Found& found, QuantisedBits bits, std::uint32_t seed) {
  std::vector<std::uint64_t> planes(static_cast<std::size_t>(bits.planes()) * kWords);
  QuantiseDerivatives(found.gradients, found.hessians, found.bounds, bits, seed, planes.data(), kWords);
  Quantised quantised;
  for (std::size_t i = 0; i < 64 * kWords; ++i) {
    for (int p = 0; p < bits.planes(); ++p) {
      const int bit = static_cast<int>(planes[static_cast<std::size_t>(p) * kWords + i / 64] >> (i % 64) & 1);
      const int value = p < bits.gradient ? bit << p : bit << (p - bits.gradient);
      if (p == bits.gradient - 1) {
        quantised.gradients[i] -= value;
      } else {
        (p < bits.gradient ? quantised.gradients : quantised.hessians)[i] += value;
      }
    }
  }
  return quantised;
}

TEST(Logistic, QuantisedNumbersAreTheNextStepsAndRightInTheMean) {
  const Case c;
  const Found found = Find(c, true);
  for (const QuantisedBits bits :
       {QuantisedBits{5, 3}, QuantisedBits{2, 2}, QuantisedBits{8, 9}, QuantisedBits{17, 16}}) {
    const int most_gradient = (1 << (bits.gradient - 1)) - 1;
    const int most_hessian = (1 << bits.hessian) - 1;
    constexpr int kSeeds = 400;
    std::vector<double> means(64 * kWords);
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
      const Quantised quantised = Quantise(found, bits, seed * 2654435761u);
      for (std::size_t i = 0; i < 64 * kWords; ++i) {
        const double gradient = double{1} * most_gradient * found.gradients[i] / found.bounds.gradient;
        const double hessian = double{1} * most_hessian * found.hessians[i] / found.bounds.hessian;
        ASSERT_LE(std::abs(quantised.gradients[i] - gradient), 1.01);
        ASSERT_LE(std::abs(quantised.hessians[i] - hessian), 1.01);
        ASSERT_LE(std::abs(quantised.gradients[i]), most_gradient);
        ASSERT_LE(quantised.hessians[i], most_hessian);
        means[i] += (quantised.gradients[i] - gradient) / kSeeds;
      }
    }
    for (const double mean : means) EXPECT_LT(std::abs(mean), 5 * 0.5 / std::sqrt(kSeeds));
  }
}

TEST(Logistic, SameBitsOnAllTargets) {
  const Case c;
  const Found expected = Find(c, true);
  const Quantised expected_steps = Quantise(expected, {9, 8}, 5);
  std::vector<std::int32_t> expected_losses(64 * kWords);
  FindLosses(c.logits, c.yes.data(), expected_losses);
  OnEachTarget([&] {
    const Found found = Find(c, true);
    EXPECT_EQ(found.gradients, expected.gradients);
    EXPECT_EQ(found.hessians, expected.hessians);
    const Quantised steps = Quantise(found, {9, 8}, 5);
    EXPECT_EQ(steps.gradients, expected_steps.gradients);
    EXPECT_EQ(steps.hessians, expected_steps.hessians);
    std::vector<std::int32_t> losses(64 * kWords);
    FindLosses(c.logits, c.yes.data(), losses);
    EXPECT_EQ(losses, expected_losses);
  });
}

}  // namespace
}  // namespace dtf
