#include "learn/classes/few_classes.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "count/target_test_util.h"
#include "learn/classes/two_classes_test_util.h"

namespace dtf {
namespace {

double MeanLogProb(const std::vector<LatentClass>& classes, const WeightedRows& rows) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.codes.rows; ++i) {
    double mass = 0;
    for (const LatentClass& one : classes) {
      double probability = one.weight;
      for (std::size_t j = 0; j < kSizes.size(); ++j) probability *= one.shares[j][rows.codes.columns[j].At(i)];
      mass += probability;
    }
    sum += rows.RowWeight(i) * std::log(mass);
  }
  return sum / rows.TotalRows();
}

// ln of what expectation maximisation climbs: the likelihood times the prior, a Dirichlet distribution that counts as
// `prior_rows` rows of the table's frequencies for each class, and one row for each class's weight.
double LogPosterior(const std::vector<LatentClass>& classes, const WeightedRows& rows, double prior_rows) {
  double sum = rows.TotalRows() * MeanLogProb(classes, rows);
  for (std::size_t j = 0; j < kSizes.size(); ++j) {
    std::vector<double> frequency(kSizes[j], 0.5);
    for (std::size_t i = 0; i < rows.codes.rows; ++i) {
      frequency[rows.codes.columns[j].At(i)] += rows.RowWeight(i);
    }
    const double total = rows.TotalRows() + 0.5 * kSizes[j];
    for (const LatentClass& one : classes) {
      for (std::size_t code = 0; code < kSizes[j]; ++code) {
        sum += prior_rows * frequency[code] / total * std::log(one.shares[j][code]);
      }
    }
  }
  for (const LatentClass& one : classes) sum += std::log(one.weight);
  return sum;
}

TEST(FewClasses, NoStepMakesTheModelLessProbable) {
  std::mt19937_64 random(1);
  for (const double prior_rows : {0.1, 1.0, 10.0}) {
    WeightedRows rows = TwoClasses(80, random);
    if (prior_rows == 1) {
      for (std::size_t i = 0; i < rows.codes.rows; ++i) rows.weights.push_back(1 + random() % 4);
      rows.unit = 0.5;
    }
    double before = -std::numeric_limits<double>::infinity();
    for (int steps = 0; steps < 30; ++steps) {
      const auto classes = FitFewClasses(rows, kSizes, {.classes = 3, .prior_rows = prior_rows, .steps = steps}, 7);
      const double after = LogPosterior(classes, rows, prior_rows);
      EXPECT_GE(after, before - 1e-9) << steps;
      before = after;
    }
  }
}

TEST(FewClasses, FindTheClassesThatMadeTheRows) {
  std::mt19937_64 random(2);
  const WeightedRows rows = TwoClasses(2000, random);
  const auto classes = FitFewClasses(rows, kSizes, {.classes = 2, .prior_rows = 1, .steps = 50}, 1);
  const LatentClass& rare = classes[classes[0].weight < classes[1].weight ? 0 : 1];
  EXPECT_NEAR(rare.weight, 1.0 / 3, 0.05);
  for (std::size_t j = 0; j < kSizes.size(); ++j) {
    for (std::size_t code = 0; code < kSizes[j]; ++code) {
      EXPECT_NEAR(rare.shares[j][code], 0.2 / kSizes[j] + (code == 1 % kSizes[j] ? 0.8 : 0), 0.05);
    }
  }
}

TEST(FewClasses, TakeAWeightForSoManyRowsAndSkipCellsWithoutACategory) {
  std::mt19937_64 random(3);
  WeightedRows rows = TwoClasses(60, random);
  for (int cell = 0; cell < 20; ++cell) {
    const std::size_t j = random() % kSizes.size();
    rows.codes.columns[j].Set(random() % 60, kSizes[j]);
  }
  WeightedRows doubled = rows;
  doubled.weights.assign(60, 4);
  doubled.unit = 0.25;
  const FewClassOptions options = {.classes = 4};
  const auto classes = FitFewClasses(rows, kSizes, options, 5);
  const auto same = FitFewClasses(doubled, kSizes, options, 5);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    EXPECT_EQ(classes[c].weight, same[c].weight);
    EXPECT_EQ(classes[c].shares, same[c].shares);
    for (const auto& shares : classes[c].shares) {
      double sum = 0;
      for (const double share : shares) {
        EXPECT_GT(share, 0);
        sum += share;
      }
      EXPECT_NEAR(sum, 1, 1e-12);
    }
  }
}

TEST(FewClasses, DoNotDependOnTheInstructionSet) {
  std::mt19937_64 random(5);
  const WeightedRows rows = TwoClasses(50, random);
  const auto expected = FitFewClasses(rows, kSizes, {.classes = 3}, 9);
  OnEachTarget([&] {
    const auto classes = FitFewClasses(rows, kSizes, {.classes = 3}, 9);
    for (std::size_t c = 0; c < classes.size(); ++c) EXPECT_EQ(classes[c].shares, expected[c].shares);
  });
}

}  // namespace
}  // namespace dtf
