#include "learn/questions/boosted.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "count/logit_kernels.h"
#include "count/target_test_util.h"

namespace dtf {
namespace {

constexpr std::size_t kColumns = 12;

// Random binary contexts; the answer, in the last column, follows from the first few with noise.
WeightedRows RandomRows(std::size_t rows, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  WeightedRows table;
  table.codes = CodeTable::WithSizes(rows, std::vector<Code>(kColumns + 1, 2));
  for (std::size_t i = 0; i < rows; ++i) {
    auto votes = static_cast<Code>(random() % 3);
    for (std::size_t j = 0; j < kColumns; ++j) {
      const Code code = random() % (2 + j % 3) == 0;
      table.codes.columns[j].Set(i, code);
      if (j < 4) votes += code;
    }
    table.codes.columns[kColumns].Set(i, votes >= 3);
  }
  return table;
}

// What a learner sees of such a table.
struct Questioned {
  explicit Questioned(const WeightedRows& table)
      : weights(QuestionWeights(table)),
        planes(table.codes, Tests()),
        rows(AskedColumn(table.codes.columns[kColumns], FindRanges(BalancedQuestions(2))), 0, weights, planes,
             FirstTests(kColumns)) {}

  static std::vector<CodeTest> Tests() {
    std::vector<CodeTest> tests;
    for (Feature j = 0; j < kColumns; ++j) tests.push_back({j, 1, 1});
    return tests;
  }

  CoarseWeights weights;
  ContextPlanes planes;
  QuestionRows rows;
};

QuestionLogits NoLogits(const QuestionRows& train, const QuestionRows* valid) {
  QuestionLogits logits;
  logits.train.resize(64 * train.words());
  if (valid != nullptr) logits.valid.resize(64 * valid->words());
  return logits;
}

std::vector<LogitTree> BoostRounds(const QuestionRows& rows, const BoostOptions& options, int rounds) {
  QuestionLogits logits = NoLogits(rows, nullptr);
  return Boost(rows, nullptr, options, rounds, 1, logits).trees;
}

TEST(Boosted, LossOnTrainingRowsNeverRises) {
  const Questioned data(RandomRows(700, 1));
  for (const int leaves : {5, std::numeric_limits<int>::max()}) {
    const auto trees = BoostRounds(data.rows, {.leaves = leaves, .shrinkage = 0.05}, 60);
    EXPECT_EQ(trees.size(), 60u);
    std::vector<Logit> logits(64 * data.rows.words());
    double loss = data.rows.Loss(logits);
    const double first_loss = loss;
    for (const LogitTree& tree : trees) {
      EXPECT_LE(static_cast<int>(tree.leaves.size()), std::min(leaves, 16));
      AddTree(tree, data.rows.tests(), logits);
      const double next = data.rows.Loss(logits);
      EXPECT_LE(next, loss + 1e-3);
      loss = next;
    }
    EXPECT_LT(loss, 0.8 * first_loss);
  }
}

TEST(Boosted, HeldOutRowsChooseTheNumberOfTrees) {
  const Questioned train(RandomRows(300, 2));
  const Questioned valid(RandomRows(300, 3));
  const BoostOptions options = {.shrinkage = 0.3, .patience = 5};
  QuestionLogits logits = NoLogits(train.rows, &valid.rows);
  const auto [trees, rounds, halves] = Boost(train.rows, &valid.rows, options, std::nullopt, 1, logits);
  std::vector<double> losses;
  for (const auto& [even, odd] : halves) losses.push_back(even + odd);
  const auto best = std::min_element(losses.begin(), losses.end()) - losses.begin();
  ASSERT_GT(best, 0);
  EXPECT_EQ(trees, BoostRounds(train.rows, options, static_cast<int>(best) + options.patience));
  ASSERT_EQ(losses.size(), trees.size() + 1);
  EXPECT_GE(rounds, static_cast<int>(trees.size()));
  std::vector<Logit> judged(64 * valid.rows.words());
  EXPECT_EQ(halves[0], valid.rows.LossOfHalves(judged));
  for (std::size_t t = 0; t < trees.size(); ++t) {
    AddTree(trees[t], valid.rows.tests(), judged);
    EXPECT_EQ(halves[t + 1], valid.rows.LossOfHalves(judged));
  }
}

// Rounding at random may choose other splits; a first split that is clearly the best is the same, and leaves' sums are
// exact.
TEST(Boosted, WeightsActLikeRepeatedRows) {
  WeightedRows weighted = RandomRows(200, 4);
  std::vector<std::size_t> repeated;
  for (std::size_t i = 0; i < weighted.codes.rows; ++i) {
    weighted.weights.push_back(1 + i % 3);
    repeated.insert(repeated.end(), 1 + i % 3, i);
  }
  WeightedRows copies;
  copies.codes = weighted.codes.Select(repeated);
  const Questioned a(weighted);
  const Questioned b(copies);
  EXPECT_EQ(a.rows.total(), b.rows.total());
  const BoostOptions options = {.depth = 1, .column_share = 1, .lambda = 2, .shrinkage = 0.5};
  const auto one = BoostRounds(a.rows, options, 1);
  const auto other = BoostRounds(b.rows, options, 1);
  ASSERT_EQ(one.size(), 1u);
  ASSERT_EQ(other.size(), 1u);
  ASSERT_EQ(one[0].nodes, other[0].nodes);
  for (std::size_t l = 0; l < 2; ++l) EXPECT_NEAR(one[0].leaves[l], other[0].leaves[l], 2);
}

// 2,000 rows; the answer is mostly what the first column says, and no other says anything.
WeightedRows RowsOfOneTest() {
  WeightedRows table;
  table.codes = CodeTable::WithSizes(2000, std::vector<Code>(kColumns + 1, 2));
  for (std::size_t i = 0; i < 2000; ++i) {
    table.codes.columns[0].Set(i, i % 2);
    table.codes.columns[kColumns].Set(i, i % 8 == 0 ? 1 - i % 2 : i % 2);
  }
  return table;
}

// Seen by the Hessian that a child must have: that of all rows is 250.
TEST(Boosted, SplitsAreChosenByAShareOfTheRows) {
  const Questioned data(RowsOfOneTest());
  for (const double share : {0.25, 0.375, 0.5, 0.75}) {
    BoostOptions options = {.depth = 1, .row_share = share, .shrinkage = 1e-6};
    options.min_hessian = 0.8 * 250 * share;
    EXPECT_EQ(BoostRounds(data.rows, options, 20).size(), 20u) << share;
    options.min_hessian = 1.2 * 250 * share;
    EXPECT_EQ(BoostRounds(data.rows, options, 20).size(), 0u) << share;
  }
}

TEST(Boosted, LeavesAreOfAllRows) {
  const Questioned data(RowsOfOneTest());
  BoostOptions options = {.depth = 1, .column_share = 1, .shrinkage = 0.5};
  const auto of_all = BoostRounds(data.rows, options, 1);
  options.row_share = 0.5;
  const auto of_half = BoostRounds(data.rows, options, 1);
  ASSERT_EQ(of_half.size(), 1u);
  ASSERT_EQ(of_half[0].nodes, of_all[0].nodes);
  EXPECT_EQ(of_half[0].leaves, of_all[0].leaves);
}

TEST(Boosted, SameTreesOnAllTargets) {
  WeightedRows table = RandomRows(500, 5);
  for (const bool weighted : {false, true}) {
    if (weighted) {
      for (std::size_t i = 0; i < table.codes.rows; ++i) table.weights.push_back(1 + i % 50);
    }
    const Questioned data(table);
    const BoostOptions options = {.depth = 8, .row_share = weighted ? 0.625 : 1, .min_hessian = 0.1};
    const auto expected = BoostRounds(data.rows, options, 20);
    OnEachTarget([&] { EXPECT_EQ(BoostRounds(data.rows, options, 20), expected); });
  }
}

TEST(Boosted, NothingToLearnIsNoTree) {
  const Questioned data(RandomRows(1, 6));
  EXPECT_TRUE(BoostRounds(data.rows, BoostOptions(), 10).empty());
}

}  // namespace
}  // namespace dtf
