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
#include "learn/questions/ridge_by_rows.h"

namespace dtf {
namespace {

// Random binary contexts, some alike; the answer, in the last column, is more often yes the more of them are 1.
WeightedRows RandomRows(std::size_t rows, std::size_t tests, bool weighted, std::mt19937_64& random) {
  WeightedRows table;
  table.codes = CodeTable::WithSizes(rows, std::vector<Code>(tests + 1, 2));
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = -1;
    for (std::size_t j = 0; j < tests; ++j) {
      const bool copies = j > 0 && random() % 3 == 0;
      const Code code = copies ? table.codes.columns[j - 1].At(i) : static_cast<Code>(random() % (2 + j % 3) == 0);
      table.codes.columns[j].Set(i, code);
      sum += (j % 2 == 0 ? 1.5 : -1) * code;
    }
    const double p = 1 / (1 + std::exp(-sum));
    table.codes.columns[tests].Set(i, static_cast<double>(random() % 1000) < 1000 * p);
    if (weighted) table.weights.push_back(1 + random() % 12);
  }
  return table;
}

// What a regression is learnt from.
struct Questioned {
  explicit Questioned(const WeightedRows& table)
      : weights(table),
        planes(table.codes, Tests(table.codes.columns.size() - 1)),
        rows(table.codes.columns.back(), weights, planes, table.codes.columns.size() - 1,
             FindRanges(BalancedQuestions(2)), 0) {}

  static std::vector<CodeTest> Tests(std::size_t count) {
    std::vector<CodeTest> tests;
    for (Feature j = 0; j < count; ++j) tests.push_back({j, 1, 1});
    return tests;
  }

  QuestionLogits NoLogits() const { return {std::vector<Logit>(64 * rows.words()), {}}; }

  UnitWeights weights;
  ContextPlanes planes;
  QuestionRows rows;
};

using Matrix = std::vector<std::vector<double>>;

// The tests of each row, less their means.
struct Centred {
  explicit Centred(const WeightedRows& table) : rows(table.codes.rows), weights(rows.size()), yes(rows.size()) {
    const std::size_t tests = table.codes.columns.size() - 1;
    means.resize(tests);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      weights[i] = table.unit * static_cast<double>(table.WeightOf(i));
      yes[i] = table.codes.columns[tests].At(i) == 0;  // "is it below?"
      total += weights[i];
      for (std::size_t t = 0; t < tests; ++t) {
        rows[i].push_back(table.codes.columns[t].At(i));
        means[t] += weights[i] * rows[i][t];
      }
    }
    for (double& mean : means) mean /= total;
    for (auto& row : rows) {
      for (std::size_t t = 0; t < tests; ++t) row[t] -= means[t];
    }
  }

  Matrix Gram(double lambda) const {
    Matrix gram(means.size(), std::vector<double>(means.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t s = 0; s < means.size(); ++s) {
        for (std::size_t t = 0; t < means.size(); ++t) gram[s][t] += weights[i] * rows[i][s] * rows[i][t];
      }
    }
    for (std::size_t t = 0; t < means.size(); ++t) gram[t][t] += lambda;
    return gram;
  }

  Matrix rows;
  std::vector<double> weights;
  std::vector<double> yes;
  std::vector<double> means;
  double total = 0;
};

// Gaussian elimination with pivots.
std::vector<double> Eliminate(Matrix a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i) pivot = std::abs(a[i][k]) > std::abs(a[pivot][k]) ? i : pivot;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

TEST(RidgeFactor, SolvesAsEliminationDoes) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20; ++round) {
    const std::size_t tests = 1 + random() % 20;
    WeightedRows table = RandomRows(20 + random() % 300, tests, round % 2 == 1, random);
    if (round % 4 == 3) table.unit = 0.25;
    const double lambda = round % 3 == 0 ? 100 : 0.5;
    const Matrix gram = Centred(table).Gram(lambda);
    const Questioned data(table);
    OnEachTarget([&] {
      for (const int threads : {1, 3}) {
        const RidgeFactor factor(data.rows.tests(), data.weights.weights, data.weights.unit, table.codes.rows, lambda,
                                 threads);
        // Its leading part is the factor of the first tests alone.
        for (std::size_t size : {tests, 1 + tests / 2}) {
          Matrix part(gram.begin(), gram.begin() + static_cast<std::ptrdiff_t>(size));
          for (auto& row : part) row.resize(size);
          std::vector<double> values(size);
          for (double& value : values) value = static_cast<double>(random() % 1000) - 500;
          const std::vector<double> expected = Eliminate(part, values);
          factor.Solve(values);
          for (std::size_t t = 0; t < size; ++t)
            EXPECT_NEAR(values[t], expected[t], 1e-7 * (1 + std::abs(expected[t])));
        }
      }
    });
  }
}

// And the same as with a factor of all tests.
TEST(RidgeByRows, SolvesAsEliminationDoes) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 20; ++round) {
    const std::size_t tests = 1 + random() % 60;
    WeightedRows table = RandomRows(2 + random() % 15, tests, round % 2 == 1, random);
    if (round % 4 == 3) table.unit = 0.25;
    const double lambda = round % 3 == 0 ? 100 : 0.5;
    const Questioned data(table);
    std::vector<double> values(tests);
    for (double& value : values) value = static_cast<double>(random() % 1000) - 500;
    const std::vector<double> expected = Eliminate(Centred(table).Gram(lambda), values);
    const RidgeByRows by_rows(data.rows, lambda);
    by_rows.Solve(values);
    for (std::size_t t = 0; t < tests; ++t) EXPECT_NEAR(values[t], expected[t], 1e-7 * (1 + std::abs(expected[t])));
  }
}

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
    const auto losses = LinearLosses(data.rows, held_out.rows, factor, kPenalties, MarginalOf(data.rows));
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
