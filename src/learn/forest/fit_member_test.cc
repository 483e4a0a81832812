#include "learn/forest/fit_member.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "flow/autoregressive_flow.h"
#include "flow/score_table.h"

namespace dtf {
namespace {

const std::vector<Code> kSizes = {3, 2, 4};

WeightedRows RandomRows(std::size_t count, std::mt19937_64& random) {
  WeightedRows rows{CodeTable::WithSizes(count, kSizes), {}, 1};
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t hidden = random() % 6;
    for (std::size_t j = 0; j < kSizes.size(); ++j) {
      const std::uint64_t code = random() % 3 == 0 ? random() : hidden;
      rows.codes.columns[j].Set(i, static_cast<Code>(code % kSizes[j]));
    }
  }
  return rows;
}

std::size_t TreesOf(const MemberFit& fit) {
  std::size_t trees = 0;
  for (const Conditioner& conditioner : fit.conditioners) {
    for (const Question& question : conditioner.questions) trees += question.trees.size();
  }
  return trees;
}

// What was learnt past the best sizes is there to be judged, and no more than that.
TEST(FitMember, TrimmedToItsBestSizesIsTheMemberThatKeepsNoMore) {
  std::mt19937_64 random(1);
  const WeightedRows rows = RandomRows(300, random);
  const HalvedRows valid = Halve(RandomRows(100, random));
  const ColumnQuestions columns = ChooseQuestions(rows, kSizes, {false, false, true});
  MemberOptions options;
  options.order = {2, 0, 1};
  options.learner.tree_share = 0.5;
  options.learner.boost.emplace();
  const MemberFit trimmed = FitMember(columns, {rows, &valid}, options);
  options.trimmed = false;
  MemberFit whole = FitMember(columns, {rows, &valid}, options);
  const MemberSizes sizes = SizesOf(whole);
  EXPECT_GT(TreesOf(whole), TreesOf(trimmed));
  EXPECT_EQ(whole.work, trimmed.work);
  TrimTo(sizes, whole);
  EXPECT_EQ(TreesOf(whole), TreesOf(trimmed));
  TrimTo(sizes, whole);  // there is no more to be left out
  EXPECT_EQ(TreesOf(whole), TreesOf(trimmed));
  for (std::size_t j = 0; j < kSizes.size(); ++j) {
    for (std::size_t q = 0; q < sizes.trees[j].size(); ++q) {
      const Question& question = whole.conditioners[j].questions[q];
      const Question& other = trimmed.conditioners[j].questions[q];
      ASSERT_EQ(question.trees.size(), other.trees.size());
      for (std::size_t t = 0; t < question.trees.size(); ++t)
        EXPECT_EQ(question.trees[t].leaves, other.trees[t].leaves);
    }
  }
  // Learnt again from the same rows as much, it is the same member.
  options.trimmed = true;
  options.sizes = &sizes;
  EXPECT_EQ(FitMember(columns, {rows, nullptr}, options).conditioners, trimmed.conditioners);
}

// A question that all but one row answer alike is not learnt; from other rows it may be, and by what the others chose.
TEST(FitMember, OfARegressionItsSizeIsAPenaltyForAllQuestions) {
  std::mt19937_64 random(3);
  WeightedRows rows = RandomRows(300, random);
  const HalvedRows valid = Halve(RandomRows(100, random));
  const ColumnQuestions columns = ChooseQuestions(rows, kSizes, {false, false, true});
  WeightedRows fewer = rows;
  for (std::size_t i = 0; i < 300; ++i) fewer.codes.columns[1].Set(i, i == 0 ? 1 : 0);
  MemberOptions options;
  options.order = {2, 0, 1};
  options.learner.ridge = true;
  const MemberFit first = FitMember(columns, {fewer, &valid}, options);
  ASSERT_TRUE(first.ridge_penalty.has_value());
  const MemberSizes sizes = SizesOf(first);
  options.sizes = &sizes;
  const MemberFit again = FitMember(columns, {rows, nullptr}, options);
  options.sizes = nullptr;
  options.ridge_penalty = first.ridge_penalty;
  EXPECT_EQ(again.conditioners, FitMember(columns, {rows, nullptr}, options).conditioners);
  EXPECT_EQ(again.ridge_penalty, first.ridge_penalty);
}

std::size_t TermsOf(const MemberFit& fit) {
  std::size_t terms = 0;
  for (const Conditioner& conditioner : fit.conditioners) {
    for (const Question& question : conditioner.questions) terms += question.terms.size();
  }
  return terms;
}

// Boosted trees do without regressions that would take too much, and the member learnt again does, too; where they are
// all there is they stay.
TEST(FitMember, LeavesOutDearRegressionsForTrees) {
  std::mt19937_64 random(4);
  const WeightedRows rows = RandomRows(300, random);
  const HalvedRows valid = Halve(RandomRows(100, random));
  const ColumnQuestions columns = ChooseQuestions(rows, kSizes, {false, false, true});
  MemberOptions options;
  options.order = {2, 0, 1};
  options.learner.ridge = true;
  options.learner.boost.emplace();
  EXPECT_GT(TermsOf(FitMember(columns, {rows, &valid}, options)), 0u);
  options.most_regression_work = 1000;
  const MemberFit without = FitMember(columns, {rows, &valid}, options);
  EXPECT_EQ(TermsOf(without), 0u);
  EXPECT_GT(TreesOf(without), 0u);
  options.most_regression_work = std::numeric_limits<double>::infinity();
  const MemberSizes sizes = SizesOf(without);
  options.sizes = &sizes;
  EXPECT_EQ(TermsOf(FitMember(columns, {rows, nullptr}, options)), 0u);
  options.sizes = nullptr;
  options.most_regression_work = 1000;
  options.learner.boost.reset();
  EXPECT_GT(TermsOf(FitMember(columns, {rows, &valid}, options)), 0u);
}

// Above 5,120 tests, where boosted trees do without.
TEST(FitMember, OfRegressionsAloneHasThemInAWideTable) {
  std::mt19937_64 random(5);
  const std::vector<Code> sizes(5300, 2);
  WeightedRows rows{CodeTable::WithSizes(60, sizes), {}, 1};
  for (std::size_t i = 0; i < 60; ++i) {
    const auto all = static_cast<Code>(random() % 2);
    for (CodeColumn& column : rows.codes.columns) column.Set(i, random() % 8 == 0 ? 1 - all : all);
  }
  const HalvedRows valid = Halve(rows);
  const ColumnQuestions columns = ChooseQuestions(rows, sizes, std::vector<bool>(5300, false));
  MemberOptions options;
  options.order = NaturalOrder(5300);
  options.positions.assign(5300, false);
  options.positions.back() = true;
  options.learner.ridge = true;
  EXPECT_GT(TermsOf(FitMember(columns, {rows, &valid}, options)), 0u);
  options.learner.boost.emplace();
  EXPECT_EQ(TermsOf(FitMember(columns, {rows, &valid}, options)), 0u);
}

// A begin, and an end that follows it.
WeightedRows Stays(std::size_t count, std::mt19937_64& random) {
  WeightedRows rows{CodeTable::WithSizes(count, std::vector<Code>{60, 80}), {}, 1};
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = static_cast<Code>(random() % 60);
    rows.codes.columns[0].Set(i, begin);
    rows.codes.columns[1].Set(i, begin + static_cast<Code>(random() % 6));
  }
  return rows;
}

TEST(FitMember, BeginsWithTheDifferenceFromAColumnBefore) {
  std::mt19937_64 random(4);
  const std::vector<Code> sizes = {60, 80};
  const WeightedRows rows = Stays(600, random);
  const HalvedRows valid = Halve(Stays(100, random));
  const WeightedRows fresh = Stays(2000, random);
  ColumnQuestions columns = ChooseQuestions(rows, sizes, {true, true});
  MemberOptions options;
  const auto mean_ln_p = [&](const Learner& learner) {
    options.learner = learner;
    MemberFit fit = FitMember(columns, {rows, &valid}, options);
    const AutoregressiveFlow flow(sizes, options.order, std::move(fit.tests), std::move(fit.conditioners),
                                  ConditionalBase{600, 0.5, true});
    const std::vector<double> scores = ScoreTable(flow, fresh.codes, 1);
    return std::accumulate(scores.begin(), scores.end(), 0.0) / 2000;
  };
  const Learner boosted = {.tree_share = 0, .ridge = false, .boost = BoostOptions()};
  const Learner linear = {.tree_share = 0, .ridge = true, .boost = {}};
  for (const std::vector<Feature>& order : {std::vector<Feature>{0, 1}, {1, 0}}) {
    options.order = order;
    columns.differences = {};
    const double without = mean_ln_p(boosted);
    const double of_regressions = mean_ln_p(linear);
    columns.differences = FindDifferences(rows, {sizes, {true, true}, {}}, 1);
    EXPECT_GT(mean_ln_p(boosted), without + 0.2);
    EXPECT_GT(mean_ln_p(boosted), -std::log(60 * 6) - 0.15);  // the truth, or nearly
    EXPECT_EQ(mean_ln_p(linear), of_regressions);
  }
}

TEST(FitMember, OfANetworkAsksOnlyForParents) {
  std::mt19937_64 random(2);
  const WeightedRows rows = RandomRows(300, random);
  const ColumnQuestions columns = ChooseQuestions(rows, kSizes, {false, false, true});
  const Network network = {{{}, {2}, {0}}};
  MemberOptions options;
  options.order = {0, 2, 1};
  options.learner.tree_share = 1;
  const MemberFit all = FitMember(columns, {rows, nullptr}, options);
  options.network = &network;
  const MemberFit fit = FitMember(columns, {rows, nullptr}, options);
  for (Feature j = 0; j < kSizes.size(); ++j) {
    EXPECT_EQ(std::ranges::any_of(fit.conditioners[j].questions, [](const auto& q) { return !q.trees.empty(); }),
              j > 0);
    for (const Question& question : fit.conditioners[j].questions) {
      for (const LogitTree& tree : question.trees) {
        for (const LogitTree::Node& node : tree.nodes) {
          EXPECT_TRUE(std::ranges::binary_search(network.parents[j], fit.tests[node.test].column));
        }
      }
    }
  }
  // A column whose parents are all columns before it is learnt as without a network.
  const Network complete = {{{}, {0, 2}, {0}}};
  options.network = &complete;
  EXPECT_EQ(FitMember(columns, {rows, nullptr}, options).conditioners, all.conditioners);
}

}  // namespace
}  // namespace dtf
