#include "learn/questions/marginals.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "count/answers.h"

namespace dtf {
namespace {

// One after the other, the yes answers first: their order does not matter.
double LnEvidenceInTurn(int yes, int no) {
  double sum = 0;
  for (int y = 0; y < yes; ++y) sum += std::log((y + 0.5) / (y + 1));
  for (int n = 0; n < no; ++n) sum += std::log((n + 0.5) / (yes + n + 1));
  return sum;
}

TEST(LnEvidence, IsThatOfOneAnswerAfterTheOther) {
  for (int yes = 0; yes < 30; ++yes) {
    for (int no = 0; no < 30; ++no) EXPECT_NEAR(LnEvidence(yes, no), LnEvidenceInTurn(yes, no), 1e-9);
  }
}

// An average by evidence, asked for one answer after the other, loses to the better of the two what their prior says
// and no more: the probabilities of the answers multiply to the mean of the two evidences.
TEST(MarginalLogit, PredictsAnswerAfterAnswerWhatTheMeanOfBothEvidencesSays) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 60; ++round) {
    const double even_share = static_cast<double>(1 + random() % 4) / 5;
    const double truth = round % 2 == 0 ? even_share : 0.9;
    int yes = 0;
    int no = 0;
    double nats = 0;
    const int answers = 1 + static_cast<int>(random() % 200);
    for (int i = 0; i < answers; ++i) {
      const Logit logit = MarginalLogit(yes, no, even_share);
      const bool is_yes = static_cast<double>(random() % 1000) < 1000 * truth;
      nats += AnswerNats(is_yes ? logit : -logit);
      ++(is_yes ? yes : no);
    }
    const double even = yes * std::log(even_share) + no * std::log(1 - even_share);
    const double estimated = LnEvidenceInTurn(yes, no);
    const double most = std::max(even, estimated);
    const double mean = most + std::log((std::exp(even - most) + std::exp(estimated - most)) / 2);
    EXPECT_NEAR(nats, -mean, 1e-4 * answers) << "round " << round;
  }
}

TEST(MarginalLogit, OfManyRowsIsTheirFrequency) {
  EXPECT_NEAR(AnswerProbability(MarginalLogit(0x1p38, 3 * 0x1p38, 0.5)), 0.25, 1e-5);
  EXPECT_NEAR(AnswerProbability(MarginalLogit(0x1p38, 0x1p38, 0.5)), 0.5, 1e-5);
}

TEST(MarginalLogit, OfNoRowsIsBetweenBoth) {
  EXPECT_NEAR(AnswerProbability(MarginalLogit(0, 0, 0.25)), (0.25 + 0.5) / 2, 1e-5);
}

}  // namespace
}  // namespace dtf
