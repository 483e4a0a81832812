#include "learn/classes/smooth_classes.h"

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "count/target_test_util.h"
#include "learn/classes/two_classes_test_util.h"

namespace dtf {
namespace {

// ln P of each row.
std::vector<double> Scores(const std::vector<LatentClass>& classes, const CodeTable& codes) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < codes.rows; ++i) {
    double sum = 0;
    for (const LatentClass& one : classes) {
      double probability = one.weight;
      for (std::size_t j = 0; j < kSizes.size(); ++j) probability *= one.shares[j][codes.columns[j].At(i)];
      sum += probability;
    }
    scores.push_back(std::log(sum));
  }
  return scores;
}

double MeanNats(const std::vector<LatentClass>& classes, const WeightedRows& rows) {
  const std::vector<double> scores = Scores(classes, rows.codes);
  return -std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size());
}

// What made the rows.
std::vector<LatentClass> Truth() {
  std::vector<LatentClass> truth;
  for (const std::size_t hidden : {0, 0, 1}) {
    LatentClass& one = truth.emplace_back();
    one.weight = 1.0 / 3;
    for (const Code size : kSizes) {
      auto& shares = one.shares.emplace_back(size, 0.2 / size);
      shares[hidden % size] += 0.8;
    }
  }
  return truth;
}

TEST(SmoothClasses, AreNearlyAsLikelyAsWhatMadeTheRows) {
  std::mt19937_64 random(2);
  const WeightedRows rows = TwoClasses(2000, random);
  const WeightedRows new_rows = TwoClasses(2000, random);
  const auto classes = FitSmoothClasses(rows, kSizes, {.classes = 64, .passes = 40}, 1);
  const double truth = MeanNats(Truth(), new_rows);
  EXPECT_NEAR(MeanNats(classes, new_rows), truth, 0.02);
  const auto unlearnt = FitSmoothClasses(rows, kSizes, {.classes = 64, .passes = 0}, 1);
  EXPECT_GT(MeanNats(unlearnt, new_rows), truth + 0.2);
}

TEST(SmoothClasses, TakeAWeightForSoManyRows) {
  std::mt19937_64 random(3);
  const WeightedRows rows = TwoClasses(60, random);
  WeightedRows weighted = rows;
  weighted.weights.assign(60, 4);
  weighted.unit = 0.25;
  EXPECT_EQ(FitSmoothClasses(rows, kSizes, {.classes = 32}, 5), FitSmoothClasses(weighted, kSizes, {.classes = 32}, 5));
}

TEST(SmoothClasses, HaveSharesOfAllCategories) {
  std::mt19937_64 random(4);
  WeightedRows rows = TwoClasses(60, random);
  for (int cell = 0; cell < 20; ++cell) {
    const std::size_t j = random() % kSizes.size();
    rows.codes.columns[j].Set(random() % 60, kSizes[j]);  // without a category
  }
  for (std::size_t i = 0; i < 60; ++i) {
    if (rows.codes.columns[0].At(i) == 2) rows.codes.columns[0].Set(i, 0);  // none has category 2
  }
  const auto classes = FitSmoothClasses(rows, kSizes, {.classes = 32}, 5);
  ASSERT_EQ(classes.size(), 32u);
  for (const LatentClass& one : classes) {
    for (std::size_t j = 0; j < kSizes.size(); ++j) {
      ASSERT_EQ(one.shares[j].size(), kSizes[j]);
      for (const double share : one.shares[j]) EXPECT_GT(share, 0);
      EXPECT_NEAR(std::accumulate(one.shares[j].begin(), one.shares[j].end(), 0.0), 1, 1e-12);
    }
  }
}

TEST(SmoothClasses, DoNotDependOnTheInstructionSet) {
  std::mt19937_64 random(5);
  const WeightedRows rows = TwoClasses(50, random);
  const auto expected = FitSmoothClasses(rows, kSizes, {.classes = 32}, 9);
  OnEachTarget([&] { EXPECT_EQ(FitSmoothClasses(rows, kSizes, {.classes = 32}, 9), expected); });
}

}  // namespace
}  // namespace dtf
