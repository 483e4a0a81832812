#include "learn/questions/linear.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "count/target_test_util.h"
#include "learn/questions/question_test_util.h"
#include "learn/questions/regression_test_util.h"
#include "learn/questions/ridge_factor.h"

namespace dtf {
namespace {

// The objective of the regression with `bias` at the centre, and its gradient, bias first; in doubles, row by row.
struct Objective {
  double value = 0;
  std::vector<double> gradient;
};

Objective FindObjective(const Centred& data, double penalty, const std::vector<double>& point) {
  Objective objective{0, std::vector<double>(point.size())};
  for (std::size_t i = 0; i < data.rows.size(); ++i) {
    double logit = point[0];
    for (std::size_t t = 0; t < data.means.size(); ++t) logit += point[t + 1] * data.rows[i][t];
    objective.value -= data.weights[i] * (std::log1p(std::exp(logit)) - data.yes[i] * logit);
    const double gradient = data.weights[i] * (data.yes[i] - 1 / (1 + std::exp(-logit)));
    objective.gradient[0] += gradient;
    for (std::size_t t = 0; t < data.means.size(); ++t) objective.gradient[t + 1] += gradient * data.rows[i][t];
  }
  for (std::size_t t = 1; t < point.size(); ++t) {
    objective.value -= 0.5 * penalty * point[t] * point[t];
    objective.gradient[t] -= penalty * point[t];
  }
  return objective;
}

// Plain gradient ascent by steps small enough never to overshoot.
double FindOptimum(const Centred& data, double penalty) {
  std::vector<double> point(data.means.size() + 1);
  const double step = 1 / (0.25 * data.total * (1 + static_cast<double>(data.means.size())) + 0.25 * penalty);
  Objective objective = FindObjective(data, penalty, point);
  for (int i = 0; i < 6000; ++i) {
    for (std::size_t t = 0; t < point.size(); ++t) point[t] += step * objective.gradient[t];
    objective = FindObjective(data, penalty, point);
  }
  return objective.value;
}

TEST(FitLinear, ReachesTheOptimum) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 12; ++round) {
    const std::size_t tests = 1 + random() % 6;
    const WeightedRows table = RandomRows(100 + random() % 100, tests, round % 2 == 1, random);
    const double penalty = round % 3 == 0 ? 0.2 : 10;
    const Questioned data(table);
    const RidgeFactor factor(data.rows, 100);
    QuestionLogits logits = data.NoLogits();
    const LinearFit fit = FitLinear(data.rows, nullptr, factor, penalty, MarginalOf(data.rows), logits);

    const Centred centred(table);
    std::vector<double> point(tests + 1);
    point[0] = kLogitUnit * fit.bias;
    for (const LogitTerm& term : fit.terms) point[term.test + 1] = kLogitUnit * term.value;
    for (std::size_t t = 0; t < tests; ++t) point[0] += point[t + 1] * centred.means[t];
    const double reached = FindObjective(centred, penalty, point).value;
    const double optimum = FindOptimum(centred, penalty);
    EXPECT_NEAR(reached, optimum, 1e-3 * std::abs(optimum));
    const double marginal = FindObjective(centred, penalty, std::vector<double>(tests + 1)).value;
    EXPECT_GT(reached, marginal);

    // The logits are those of the terms.
    for (std::size_t i = 0; i < table.codes.rows; ++i) {
      Logit logit = fit.bias;
      for (const LogitTerm& term : fit.terms) logit += table.codes.columns[term.test].At(i) == 1 ? term.value : 0;
      EXPECT_EQ(logits.train[i], logit);
    }
  }
}

// A test that few rows pass, half of which give an answer that others hardly give: far from the marginal's curvature.
TEST(FitLinear, LearnsARareAnswer) {
  WeightedRows table;
  table.codes = CodeTable::WithSizes(4000, std::vector<Code>{2, 2});
  for (std::size_t i = 0; i < 4000; ++i) {
    const bool passes = i < 100;
    table.codes.columns[0].Set(i, passes ? 1 : 0);
    table.codes.columns[1].Set(i, passes ? i % 2 == 0 : i % 975 == 0);  // 4 of 3,900
  }
  const Questioned data(table);
  QuestionLogits logits = data.NoLogits();
  const LinearFit fit = FitLinear(data.rows, nullptr, RidgeFactor(data.rows, 100), 1e-6, MarginalOf(data.rows), logits);
  ASSERT_EQ(fit.terms.size(), 1u);
  EXPECT_NEAR(kLogitUnit * fit.bias, std::log(3896.0 / 4), 0.01);  // "is it below 1?"
  EXPECT_NEAR(kLogitUnit * (fit.bias + fit.terms[0].value), 0, 0.01);
}

void ExpectSameFit(const LinearFit& a, const LinearFit& b) {
  EXPECT_EQ(a.bias, b.bias);
  EXPECT_EQ(a.terms, b.terms);
}

TEST(LinearLosses, AreThoseOfEachPenalty) {
  std::mt19937_64 random(3);
  constexpr double kPenalties[] = {1e6, 50, 5, 0.5};
  for (int round = 0; round < 20; ++round) {
    const std::size_t tests = 1 + random() % 12;
    const Questioned data(RandomRows(150, tests, round % 2 == 1, random));
    const Questioned held_out(RandomRows(60, tests, round % 2 == 1, random));
    const RidgeFactor factor(data.rows, 5);
    const auto losses = LinearLosses(data.rows, held_out.rows, factor, kPenalties, MarginalOf(data.rows)).losses;
    ASSERT_EQ(losses.size(), std::size(kPenalties));
    QuestionLogits logits = data.NoLogits();
    logits.valid.resize(64 * held_out.rows.words());
    for (std::size_t k = 0; k < losses.size(); ++k) {
      FitLinear(data.rows, &held_out.rows, factor, kPenalties[k], MarginalOf(data.rows), logits);
      EXPECT_NEAR(held_out.rows.Loss(logits.valid), losses[k], 2e-3 * losses[k]);
    }
  }
}

TEST(FitLinear, IsTheMarginalWhenWeightsAreDear) {
  std::mt19937_64 random(6);
  const Questioned data(RandomRows(300, 5, false, random));
  QuestionLogits logits = data.NoLogits();
  const RidgeFactor factor(data.rows, 100);
  const LinearFit fit = FitLinear(data.rows, nullptr, factor, 1e9, MarginalOf(data.rows), logits);
  EXPECT_NEAR(kLogitUnit * fit.bias, kLogitUnit * MarginalOf(data.rows), 0.02);
  for (const LogitTerm& term : fit.terms) EXPECT_NEAR(kLogitUnit * term.value, 0, 1e-4);
}

TEST(FitLinear, DoesNotDependOnTheInstructionSet) {
  std::mt19937_64 random(4);
  for (const bool weighted : {false, true}) {
    const WeightedRows table = RandomRows(700, 40, weighted, random);
    const auto fit = [&] {
      const Questioned data(table);
      QuestionLogits logits = data.NoLogits();
      return FitLinear(data.rows, nullptr, RidgeFactor(data.rows, 100), 10, MarginalOf(data.rows), logits);
    };
    const LinearFit expected = fit();
    OnEachTarget([&] { ExpectSameFit(fit(), expected); });
  }
}

TEST(FitLinear, WithNothingToLearnIsTheMarginal) {
  std::mt19937_64 random(5);
  WeightedRows table = RandomRows(50, 3, false, random);
  for (std::size_t i = 0; i < table.codes.rows; ++i) table.codes.columns[3].Set(i, 1);
  const Questioned data(table);
  QuestionLogits logits = data.NoLogits();
  const LinearFit fit = FitLinear(data.rows, nullptr, RidgeFactor(data.rows, 1), 1, MarginalOf(data.rows), logits);
  EXPECT_TRUE(fit.terms.empty());
  EXPECT_EQ(fit.bias, MarginalOf(data.rows));
}

}  // namespace
}  // namespace dtf
