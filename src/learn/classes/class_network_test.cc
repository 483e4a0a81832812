#include "learn/classes/class_network.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace dtf {
namespace {

constexpr std::size_t kClasses = 32;
const std::vector<float> kOffsets = {-1.0f, 0.5f, 2.0f};

// Σ of the logits, each times a number of its own.
double WeighedSum(ClassNetwork& network) {
  double sum = 0;
  double factor = 1;
  for (const float logit : network.FindLogits()) {
    sum += factor * logit;
    factor = factor > 0 ? -factor : 1 - factor / 2;
  }
  return sum;
}

TEST(ClassNetwork, GradientIsThatOfTheLogits) {
  ClassNetwork network(kOffsets, kClasses, 1, 0);
  WeighedSum(network);
  double factor = 1;
  for (float& to_logit : network.gradient()) {
    to_logit = static_cast<float>(factor);
    factor = factor > 0 ? -factor : 1 - factor / 2;
  }
  const auto found = network.PassBack();
  const std::vector<float> gradient(found.begin(), found.end());
  double most = 0;
  for (const float slope : gradient) most = std::max(most, std::abs(static_cast<double>(slope)));
  ASSERT_GT(most, 1);
  for (std::size_t w = 0; w < gradient.size(); w += 13) {
    constexpr float kStep = 1e-4f;  // the function is linear but where a unit changes its sign
    const float weight = network.weights()[w];
    network.weights()[w] = weight + kStep;
    const double more = WeighedSum(network);
    network.weights()[w] = weight - kStep;
    const double less = WeighedSum(network);
    network.weights()[w] = weight;
    EXPECT_NEAR((more - less) / (2 * static_cast<double>(kStep)), gradient[w], 2e-2 * most) << w;
  }
}

TEST(ClassNetwork, WithoutWeightsSaysTheOffsets) {
  ClassNetwork network(kOffsets, kClasses, 1, 0);
  std::ranges::fill(network.weights(), 0.0f);
  const auto logits = network.FindLogits();
  for (std::size_t l = 0; l < kOffsets.size(); ++l) {
    for (std::size_t c = 0; c < kClasses; ++c) EXPECT_EQ(logits[l * kClasses + c], kOffsets[l]);
  }
}

TEST(ClassNetwork, ClassesAndNetworksDiffer) {
  ClassNetwork network(kOffsets, kClasses, 1, 0);
  ClassNetwork other(kOffsets, kClasses, 1, 1);
  const auto logits = network.FindLogits();
  const auto others = other.FindLogits();
  for (std::size_t c = 0; c < kClasses; ++c) {
    EXPECT_NE(logits[c], others[c]);
    for (std::size_t before = 0; before < c; ++before) EXPECT_NE(logits[before], logits[c]);
  }
}

}  // namespace
}  // namespace dtf
