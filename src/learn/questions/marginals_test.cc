#include "learn/questions/marginals.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "count/answers.h"

namespace dtf {
namespace {

// One after the other, the yes answers first: their order does not matter.
double LnEvidenceInTurn(int yes, int no, double yes_prior, double no_prior) {
  const double prior = yes_prior + no_prior;
  double sum = 0;
  for (int y = 0; y < yes; ++y) sum += std::log((y + yes_prior) / (y + prior));
  for (int n = 0; n < no; ++n) sum += std::log((n + no_prior) / (yes + n + prior));
  return sum;
}

double ProbabilityOf(const AnswerCount& yes, const AnswerCount& no) {
  return AnswerProbability(MarginalLogit(yes, no));
}

TEST(LnEvidence, IsThatOfOneAnswerAfterTheOther) {
  for (int yes = 0; yes < 30; ++yes) {
    for (int no = 0; no < 30; ++no) {
      EXPECT_NEAR(LnEvidence(yes, no), LnEvidenceInTurn(yes, no, 0.5, 0.5), 1e-9);
      EXPECT_NEAR(LnEvidence(yes, no, 1, 7.5), LnEvidenceInTurn(yes, no, 1, 7.5), 1e-9);
    }
  }
}

// An average by evidence, asked for one answer after the other, loses to the better of the two what their prior says
// and no more: the probabilities of the answers multiply to the mean of the two evidences.
TEST(MarginalLogit, PredictsAnswerAfterAnswerWhatTheMeanOfBothEvidencesSays) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 60; ++round) {
    AnswerCount yes{0, static_cast<std::uint32_t>(1 + random() % 4)};
    AnswerCount no{0, static_cast<std::uint32_t>(1 + random() % 4)};
    const double even = static_cast<double>(yes.categories) / (yes.categories + no.categories);
    const double truth = round % 2 == 0 ? even : 0.9;
    double nats = 0;
    const int answers = 1 + static_cast<int>(random() % 200);
    for (int i = 0; i < answers; ++i) {
      const Logit logit = MarginalLogit(yes, no);
      const bool is_yes = static_cast<double>(random() % 1000) < 1000 * truth;
      nats += AnswerNats(is_yes ? logit : -logit);
      ++(is_yes ? yes : no).rows;
    }
    const double ln_even = yes.rows * std::log(even) + no.rows * std::log(1 - even);
    const double ln_estimated = LnEvidenceInTurn(static_cast<int>(yes.rows), static_cast<int>(no.rows),
                                                 0.5 * yes.categories, 0.5 * no.categories);
    const double most = std::max(ln_even, ln_estimated);
    const double mean = most + std::log((std::exp(ln_even - most) + std::exp(ln_estimated - most)) / 2);
    EXPECT_NEAR(nats, -mean, 1e-4 * answers) << "round " << round;
  }
}

TEST(MarginalLogit, OfManyRowsIsTheirFrequency) {
  EXPECT_NEAR(ProbabilityOf({0x1p38, 1}, {3 * 0x1p38, 1}), 0.25, 1e-5);
  EXPECT_NEAR(ProbabilityOf({0x1p38, 3}, {3 * 0x1p38, 2}), 0.25, 1e-5);
}

TEST(MarginalLogit, OfNoRowsIsTheShareOfTheCategories) { EXPECT_NEAR(ProbabilityOf({0, 1}, {0, 3}), 0.25, 1e-5); }

// Among a thousand categories that no row has and one of a single row, a row is hardly ever again of that one.
TEST(MarginalLogit, LeavesRoomForCategoriesThatNoRowHas) {
  EXPECT_GT(ProbabilityOf({0, 1000}, {1, 1}), 0.99);
  EXPECT_LT(ProbabilityOf({0, 1000}, {1000, 1}), 0.4);
}

}  // namespace
}  // namespace dtf
