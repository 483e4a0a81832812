#include "learn/forest/choose_sizes.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace dtf {
namespace {

using Losses = std::vector<std::array<double, 2>>;

QuestionFit Judged(Losses losses) {
  const int boosted = static_cast<int>(losses.size()) - 1;
  return {.boosted = boosted, .rounds = boosted, .losses = std::move(losses)};
}

// A loss that is least at `best`, by halves that agree but for chance.
Losses Valley(int trees, int best, double depth, double noise, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Losses losses;
  for (int t = 0; t <= trees; ++t) {
    const double distance = std::log((t + 1.0) / (best + 1.0));
    const double loss = 100 + depth * distance * distance;
    losses.push_back({loss + noise * normal(random), loss + noise * normal(random)});
  }
  return losses;
}

TEST(ChooseTreeCounts, AreThoseOfItsOwnWhereBothHalvesSaySo) {
  std::mt19937_64 random(1);
  const QuestionFits fits = {{Judged(Valley(80, 5, 9, 0, random))},
                             {Judged(Valley(80, 60, 9, 0, random)), Judged(Valley(30, 20, 9, 0, random))}};
  for (const JudgingRows judging : {JudgingRows::kAll, JudgingRows::kFirstHalf, JudgingRows::kSecondHalf}) {
    EXPECT_EQ(ChooseTreeCounts(fits, judging), (TreeCounts{{5}, {60, 20}}));
  }
}

TEST(ChooseTreeCounts, AreThoseOfAllWhereItsOwnAreChance) {
  std::mt19937_64 random(2);
  QuestionFits fits(40);
  for (auto& column : fits) column.push_back(Judged(Valley(60, 20, 1, 2, random)));
  const TreeCounts trees = ChooseTreeCounts(fits, JudgingRows::kAll);
  for (const auto& column : trees) EXPECT_EQ(column, trees[0]);
  EXPECT_NEAR(trees[0][0], 20, 6);
}

// Columns differ more than the questions of one do.
TEST(ChooseTreeCounts, AreThoseOfTheirColumnWhereItsQuestionsAreAlike) {
  std::mt19937_64 random(5);
  QuestionFits fits(3);
  const int best[] = {2, 15, 60};
  for (std::size_t column = 0; column < 3; ++column) {
    for (int q = 0; q < 100; ++q) fits[column].push_back(Judged(Valley(80, best[column], 1, 5, random)));
  }
  const TreeCounts trees = ChooseTreeCounts(fits, JudgingRows::kAll);
  for (std::size_t column = 0; column < 3; ++column) {
    for (const int count : trees[column]) EXPECT_EQ(count, trees[column][0]);
    EXPECT_NEAR(std::log(trees[column][0] + 1.0), std::log(best[column] + 1.0), 0.4);
  }
}

TEST(ChooseTreeCounts, AreNeverMoreThanThereAre) {
  std::mt19937_64 random(3);
  QuestionFits fits;
  for (int trees = 0; trees < 60; ++trees) fits.push_back({Judged(Valley(trees, 40, 1, 2, random))});
  const TreeCounts trees = ChooseTreeCounts(fits, JudgingRows::kAll);
  for (std::size_t column = 0; column < fits.size(); ++column) EXPECT_LE(trees[column][0], fits[column][0].boosted);
}

// Those learnt in a given number of rounds.
TEST(ChooseTreeCounts, AreAllWhereNobodyJudges) {
  const QuestionFit unjudged = {.boosted = 7, .rounds = 9, .losses = {}};
  EXPECT_EQ(ChooseTreeCounts({{unjudged}, {}}, JudgingRows::kAll), (TreeCounts{{7}, {}}));
}

TEST(PositionOfLeastSum, IsBestInSum) {
  std::mt19937_64 random(4);
  std::vector<std::vector<double>> losses(5, std::vector<double>(9));
  for (int round = 0; round < 30; ++round) {
    std::vector<double> sums(9);
    for (auto& of_question : losses) {
      for (std::size_t k = 0; k < 9; ++k) sums[k] += of_question[k] = static_cast<double>(random() % 100);
    }
    const std::size_t position = PositionOfLeastSum(losses);
    for (const double sum : sums) EXPECT_LE(sums[position], sum);
  }
  EXPECT_EQ(PositionOfLeastSum({}), 0u);
}

}  // namespace
}  // namespace dtf
