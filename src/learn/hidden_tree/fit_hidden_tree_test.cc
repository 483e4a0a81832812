#include "learn/hidden_tree/fit_hidden_tree.h"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "count/target_test_util.h"
#include "learn/hidden_tree/hidden_tree_test_util.h"

namespace dtf {
namespace {

const std::vector<Code> kSizes = {2, 2, 3, 2, 2, 4, 2};

// Along the tree of columns that the rows tell.
HiddenTree Fit(const WeightedRows& rows, const std::vector<Code>& sizes, const HiddenTreeOptions& options,
               std::uint64_t seed) {
  return FitHiddenTree(FindColumnTree(rows, sizes), rows, sizes, options, seed);
}

double Work(const WeightedRows& rows, const HiddenTreeOptions& options) {
  return WorkOfHiddenTree(FindColumnTree(rows, kSizes), rows, kSizes, options);
}

double MeanNats(const HiddenTree& hidden, const WeightedRows& rows, const std::vector<Code>& sizes = kSizes) {
  return PlainHiddenTree(hidden, sizes).MeanNats(rows);
}

// Of what made TwoGroups.
double TrueNats(const WeightedRows& rows) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.codes.rows; ++i) {
    double probability = 0;
    for (const std::size_t group : {0, 1}) {
      double of_group = 0.5;
      for (std::size_t j = 0; j < kSizes.size(); ++j) {
        of_group *= 0.2 / kSizes[j] + (rows.codes.columns[j].At(i) == group ? 0.8 : 0);
      }
      probability += of_group;
    }
    sum -= std::log(probability);
  }
  return sum / static_cast<double>(rows.codes.rows);
}

double IndependentNats(const WeightedRows& rows) {
  double sum = 0;
  for (std::size_t j = 0; j < kSizes.size(); ++j) {
    for (const std::uint64_t count : rows.CountCategories(static_cast<Feature>(j), kSizes[j])) {
      const auto of_category = static_cast<double>(count);
      sum -= of_category * std::log(of_category / rows.TotalRows());
    }
  }
  return sum / rows.TotalRows();
}

bool Same(const HiddenTree& a, const HiddenTree& b) {
  return a.states == b.states && a.order == b.order && a.parent == b.parent && a.root == b.root &&
         a.transitions == b.transitions && a.categories == b.categories;
}

TEST(FitHiddenTree, LearnsTwoGroups) {
  std::mt19937_64 random(1);
  const WeightedRows rows = TwoGroups(6000, kSizes, random);
  const WeightedRows new_rows = TwoGroups(3000, kSizes, random);
  const HiddenTree hidden = Fit(rows, kSizes, {.states = 4, .passes = 10, .prior_rows = 1}, 1);
  const double truth = TrueNats(new_rows);
  EXPECT_GT(IndependentNats(new_rows), truth + 0.5);
  EXPECT_LT(MeanNats(hidden, new_rows), truth + 0.03);
  EXPECT_GT(MeanNats(hidden, new_rows), truth - 0.01);
}

TEST(FitHiddenTree, GetsBetterWithPasses) {
  std::mt19937_64 random(2);
  const WeightedRows rows = TwoGroups(3000, kSizes, random);
  double before = IndependentNats(rows);
  for (const double passes : {1, 3, 9}) {
    const double nats = MeanNats(Fit(rows, kSizes, {.states = 8, .passes = passes}, 1), rows);
    EXPECT_LT(nats, before) << passes;
    before = nats;
  }
  const auto fit = [&](double passes) { return Fit(rows, kSizes, {.states = 2, .passes = passes}, 1); };
  EXPECT_TRUE(Same(fit(0.1), fit(1)));
  EXPECT_TRUE(Same(fit(1.1), fit(2)));
}

// Equal weights, in whatever unit, are as none.
TEST(FitHiddenTree, TakesAWeightForSoManyRows) {
  std::mt19937_64 random(3);
  const WeightedRows rows = TwoGroups(700, kSizes, random);
  WeightedRows weighted = rows;
  weighted.weights.assign(700, 4);
  weighted.unit = 0.25;
  const HiddenTreeOptions options = {.states = 3, .passes = 4};
  EXPECT_TRUE(Same(Fit(rows, kSizes, options, 5), Fit(weighted, kSizes, options, 5)));
}

// Of two kinds of rows those that weigh nearly all are learnt.
TEST(FitHiddenTree, LearnsWhatWeighs) {
  std::mt19937_64 random(4);
  const WeightedRows likely = TwoGroups(2000, kSizes, random);
  WeightedRows rows = AnyRows(4000, kSizes, random);
  rows.weights.assign(4000, 1);
  for (std::size_t i = 0; i < 2000; ++i) {
    for (std::size_t j = 0; j < kSizes.size(); ++j) rows.codes.columns[j].Set(2 * i, likely.codes.columns[j].At(i));
    rows.weights[2 * i] = 200;
  }
  const HiddenTree hidden = Fit(rows, kSizes, {.states = 4, .passes = 10}, 1);
  const WeightedRows new_rows = TwoGroups(3000, kSizes, random);
  EXPECT_LT(MeanNats(hidden, new_rows), TrueNats(new_rows) + 0.05);
}

TEST(FitHiddenTree, DoesNotDependOnTheInstructionSet) {
  std::mt19937_64 random(5);
  WeightedRows rows = AnyRows(900, kSizes, random);
  for (std::size_t i = 0; i < 900; ++i) rows.weights.push_back(1 + random() % 5);
  for (const std::size_t states : {5, 33}) {
    const HiddenTreeOptions options = {.states = states, .passes = 3};
    const HiddenTree expected = Fit(rows, kSizes, options, 9);
    OnEachTarget([&] { EXPECT_TRUE(Same(Fit(rows, kSizes, options, 9), expected)); });
    EXPECT_FALSE(Same(Fit(rows, kSizes, options, 8), expected));
    EXPECT_FALSE(Same(Fit(rows, kSizes, {.states = states, .passes = 3, .number = 1}, 9), expected));
  }
}

// A category of many goes with one of another column; some cells have none, and some categories never occur.
TEST(FitHiddenTree, LearnsColumnsOfManyCategories) {
  std::mt19937_64 random(6);
  const std::vector<Code> sizes = {40, 3, 50, 1};
  WeightedRows rows = AnyRows(5000, sizes, random);
  for (std::size_t i = 0; i < 5000; ++i) {
    const Code first = rows.codes.columns[0].At(i);
    if (first < 40) rows.codes.columns[2].Set(i, first);
  }
  const HiddenTree hidden = Fit(rows, sizes, {.states = 32}, 1);
  EXPECT_EQ(hidden.categories.size(), 32u * (40 + 3 + 50 + 1));
  const double told = 0.9 * (std::log(40) + 0.9 * std::log(3)) + 0.1 * 0.9 * std::log(50);
  EXPECT_LT(MeanNats(hidden, rows, sizes), told + 1);  // independent columns: about 3 more
}

TEST(FitHiddenTree, LearnsColumnsOfOneCategory) {
  WeightedRows rows{CodeTable::WithSizes(1, std::vector<Code>{1, 2, 2}), {}, 1};
  rows.weights = {1000};
  rows.codes.columns[1].Set(0, 1);
  rows.codes.columns[2].Set(0, 2);  // no category
  const std::vector<Code> sizes = {1, 2, 2};
  EXPECT_LT(MeanNats(Fit(rows, sizes, {.states = 3}, 1), rows, sizes), 0.002);
}

TEST(FitHiddenTree, LearnsAColumnAlone) {
  std::mt19937_64 random(7);
  const std::vector<Code> sizes = {5};
  WeightedRows rows{CodeTable::WithSizes(5, sizes), {100, 200, 300, 400, 0}, 1};
  for (Code code = 0; code < 5; ++code) rows.codes.columns[0].Set(code, code);
  double entropy = 0;
  for (const double share : {0.1, 0.2, 0.3, 0.4}) entropy -= share * std::log(share);
  for (const std::size_t states : {1, 4}) {
    const HiddenTree hidden = Fit(rows, sizes, {.states = states}, 1);
    EXPECT_TRUE(hidden.transitions.empty());
    EXPECT_NEAR(MeanNats(hidden, rows, sizes), entropy, 0.002);
  }
}

TEST(FitHiddenTree, TakesMoreWorkForMoreStatesRowsAndPasses) {
  std::mt19937_64 random(8);
  const WeightedRows rows = TwoGroups(2000, kSizes, random);
  const WeightedRows many_rows = AnyRows(20000, kSizes, random);
  const double work = Work(rows, {.states = 32, .passes = 10});
  EXPECT_GT(work, 1e5);
  EXPECT_GT(Work(rows, {.states = 64, .passes = 10}), 1.5 * work);
  EXPECT_GT(Work(rows, {.states = 32, .passes = 20}), 1.5 * work);
  EXPECT_GT(Work(many_rows, {.states = 32, .passes = 10}), 4 * work);
}

}  // namespace
}  // namespace dtf
