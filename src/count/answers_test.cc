#include "count/answers.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "count/target_test_util.h"

namespace dtf {
namespace {

constexpr std::size_t kWords = 3;

// Logits of all sizes.
std::vector<Logit> RandomLogits(RandomStream& random) {
  std::vector<Logit> logits(64 * kWords);
  for (Logit& logit : logits) {
    const auto most = static_cast<std::int64_t>(1) << random.Below(31);
    logit = static_cast<Logit>(static_cast<std::int64_t>(random.Below(2 * most + 1)) - most);
  }
  return logits;
}

std::vector<std::uint64_t> RandomPlane(RandomStream& random) {
  std::vector<std::uint64_t> plane(kWords);
  for (std::uint64_t& word : plane) word = random.Next() & random.Next();
  plane[1] = 0;
  return plane;
}

bool Has(const std::vector<std::uint64_t>& plane, std::size_t row) { return (plane[row / 64] >> (row % 64) & 1) != 0; }

TEST(Answers, AreAsSurprisingAsTheExactLogarithmSays) {
  RandomStream random(1, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 2000; ++round) {
    for (const Logit logit : RandomLogits(random)) {
      const long double x = static_cast<long double>(logit) / 65536;
      const auto exact = static_cast<double>(x > 0 ? std::log1p(std::exp(-x)) : std::log1p(std::exp(x)) - x);
      const double nats = AnswerNats(logit);
      EXPECT_GE(nats, 0);
      if (logit > kMostExponent) continue;  // e^-700 or less
      EXPECT_NEAR(nats, exact, 4 * std::numeric_limits<double>::epsilon() * exact) << logit;
      EXPECT_NEAR(AnswerProbability(logit), static_cast<double>(1 / (1 + std::exp(-x))), 1e-15);
    }
  }
  EXPECT_GT(AnswerNats(1 << 30), 0);
  EXPECT_LT(AnswerNats(1 << 30), 1e-300);
  EXPECT_EQ(AnswerNats(-(1 << 30)), 16384);
}

TEST(Answers, OfAllRowsHaveTheBitsOfEachAlone) {
  RandomStream random(2, RandomPurpose::kShuffle, 0);
  OnEachTarget([&] {
    for (int round = 0; round < 100; ++round) {
      const std::vector<Logit> logits = RandomLogits(random);
      std::vector<std::uint64_t> mask = RandomPlane(random);
      // Few rows and many are worked out in two ways.
      for (int more = round % 3; more > 0; --more) {
        const std::vector<std::uint64_t> other = RandomPlane(random);
        for (std::size_t w = 0; w < mask.size(); ++w) {
          mask[w] = round % 2 == 0 ? mask[w] & other[w] : mask[w] | other[w];
        }
      }
      const std::vector<std::uint64_t> yes = RandomPlane(random);
      std::vector<double> before(logits.size());
      for (double& nats : before) nats = random.Uniform();
      std::vector<double> nats = before;
      AddAnswerNats(logits, mask.data(), yes.data(), nats);
      std::vector<double> of_yes(logits.size());
      std::vector<double> of_no(logits.size());
      AddBothAnswers(logits, before, of_yes, of_no);
      for (std::size_t row = 0; row < logits.size(); ++row) {
        ASSERT_EQ(of_yes[row], before[row] + AnswerNats(logits[row]));
        ASSERT_EQ(of_no[row], before[row] + AnswerNats(-logits[row]));
        const double expected = Has(yes, row) ? of_yes[row] : of_no[row];
        ASSERT_EQ(nats[row], Has(mask, row) ? expected : before[row]);
      }
    }
  });
}

TEST(Answers, AreDrawnByComparingWithTheirProbability) {
  RandomStream random(3, RandomPurpose::kShuffle, 0);
  OnEachTarget([&] {
    for (int round = 0; round < 100; ++round) {
      const std::vector<Logit> logits = RandomLogits(random);
      const std::vector<std::uint64_t> mask = RandomPlane(random);
      std::vector<std::uint64_t> draws(logits.size());
      for (std::size_t row = 0; row < draws.size(); ++row) {
        // Right at the probability, or anywhere.
        const auto edge = static_cast<std::uint64_t>(AnswerProbability(logits[row]) * 0x1p53);
        draws[row] = random.Below(2) == 0 ? random.Next() >> 11 : std::min(edge, (std::uint64_t{1} << 53) - 1);
      }
      std::vector<std::uint64_t> yes(kWords, ~std::uint64_t{0});
      DrawAnswers(logits, mask.data(), draws, yes.data());
      for (std::size_t row = 0; row < logits.size(); ++row) {
        const bool expected = static_cast<double>(draws[row]) * 0x1p-53 < AnswerProbability(logits[row]);
        ASSERT_EQ(Has(yes, row), expected && Has(mask, row));
      }
    }
  });
}

}  // namespace
}  // namespace dtf
