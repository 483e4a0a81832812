#include "learn/network/count_tree.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "flow/autoregressive_flow.h"
#include "flow/score_table.h"
#include "learn/questions/question_tree.h"

namespace dtf {
namespace {

// A column of many categories; one that follows it in two rows of three; chance; and one that follows the second.
WeightedRows Chain(std::size_t rows, const std::vector<Code>& sizes, bool weighted, std::mt19937_64& random) {
  WeightedRows table{CodeTable::WithSizes(rows, sizes), {}, 1};
  for (std::size_t i = 0; i < rows; ++i) {
    const auto follow = [&](Feature column, std::size_t leader) {
      const std::size_t code = random() % 3 != 0 ? leader * 7 + 3 : random();
      table.codes.columns[column].Set(i, static_cast<Code>(code % sizes[column]));
      return table.codes.columns[column].At(i);
    };
    const std::size_t second = follow(1, follow(0, random()));
    follow(2, random());
    follow(3, second);
    if (weighted) table.weights.push_back(1 + random() % 4);
  }
  return table;
}

std::vector<std::vector<Question>> QuestionsOf(const WeightedRows& rows, const std::vector<Code>& sizes) {
  std::vector<std::vector<Question>> questions;
  for (Feature j = 0; j < sizes.size(); ++j) {
    questions.push_back(j % 2 == 0 ? BalancedQuestions(sizes[j]) : HuffmanQuestions(rows.CountCategories(j, sizes[j])));
  }
  return questions;
}

AutoregressiveFlow FlowOf(const WeightedRows& rows, const std::vector<Code>& sizes, const Network& network) {
  CountTables tables = LearnCounts(rows, sizes, QuestionsOf(rows, sizes), network);
  return {sizes, ParentsFirst(network), std::move(tables.tests), std::move(tables.conditioners),
          ConditionalBase{rows.TotalRows(), 0.5, true}};
}

// n_ab, n_a and the shares, counted slowly.
struct Counts {
  Counts(const WeightedRows& rows, Feature parent, Feature child, const std::vector<Code>& sizes)
      : shares(sizes[child]) {
    for (std::size_t i = 0; i < rows.codes.rows; ++i) {
      const double weight = rows.RowWeight(i);
      const Code a = rows.codes.columns[parent].At(i);
      const Code b = rows.codes.columns[child].At(i);
      pairs[{a, b}] += weight;
      parents[a] += weight;
      shares[b] += weight;
      total += weight;
    }
    for (double& share : shares) share = (share + 0.5) / (total + 0.5 * static_cast<double>(shares.size()));
  }

  double LogProb(Code a, Code b, double prior) {
    return std::log((pairs[{a, b}] + prior * shares[b]) / (parents[a] + prior));
  }

  // That under which the rows are likeliest, each by all others.
  double BestPrior() {
    double best = 0;
    double most = -1e300;
    for (const double prior : {0.5, 2.0, 8.0, 32.0}) {
      double sum = 0;
      for (const auto& [pair, rows] : pairs) {
        const double k = static_cast<double>(shares.size());
        const double without = (shares[pair.second] * (total + 0.5 * k) - 1) / (total - 1 + 0.5 * k);
        sum += rows * std::log((rows - 1 + prior * without) / (parents[pair.first] - 1 + prior));
      }
      if (sum > most) {
        most = sum;
        best = prior;
      }
    }
    return best;
  }

  double total = 0;
  std::map<std::pair<Code, Code>, double> pairs;
  std::map<Code, double> parents;
  std::vector<double> shares;
};

// The header's formula, with one of the priors, for each pair of categories, those that no row has, too.
TEST(LearnCounts, GivesCountsWithAPriorOfTheWholeTablesShares) {
  std::mt19937_64 random(1);
  const std::vector<Code> sizes = {40, 25, 3, 60};
  const Network network{{{}, {0}, {}, {1}}};
  for (const bool weighted : {false, true}) {
    const WeightedRows rows = Chain(500, sizes, weighted, random);
    const AutoregressiveFlow flow = FlowOf(rows, sizes, network);
    for (const auto& [parent, child] : {std::pair<Feature, Feature>{0, 1}, {1, 3}}) {
      Counts counts(rows, parent, child, sizes);
      CodeTable codes = CodeTable::WithSizes(std::size_t{sizes[parent]} * sizes[child], sizes);
      for (std::size_t i = 0; i < codes.rows; ++i) {
        codes.columns[parent].Set(i, static_cast<Code>(i % sizes[parent]));
        codes.columns[child].Set(i, static_cast<Code>(i / sizes[parent]));
      }
      const std::vector<double> scores = ScoreTablePerColumn(flow, codes, 1)[child];
      const double prior = counts.BestPrior();
      for (std::size_t i = 0; i < codes.rows; ++i) {
        const double expected = counts.LogProb(codes.columns[parent].At(i), codes.columns[child].At(i), prior);
        EXPECT_NEAR(scores[i], expected, 1e-3);
      }
    }
  }
}

// A parent's value that was never seen says nothing.
TEST(LearnCounts, OfAnUnseenParentAreTheWholeTables) {
  std::mt19937_64 random(2);
  const std::vector<Code> sizes = {40, 25, 3, 60};
  const WeightedRows rows = Chain(500, sizes, false, random);
  const AutoregressiveFlow flow = FlowOf(rows, sizes, {{{}, {0}, {}, {1}}});
  Counts counts(rows, 0, 1, sizes);
  CodeTable codes = CodeTable::WithSizes(sizes[1], sizes);
  for (Code b = 0; b < sizes[1]; ++b) {
    codes.columns[0].Set(b, sizes[0]);
    codes.columns[1].Set(b, b);
  }
  const auto scores = ScoreTablePerColumn(flow, codes, 1)[1];
  for (Code b = 0; b < sizes[1]; ++b) EXPECT_NEAR(scores[b], std::log(counts.shares[b]), 1e-3);
}

TEST(FindCountTree, FindsWhoFollowsWhomWhereFewPairsOccur) {
  std::mt19937_64 random(3);
  const std::vector<Code> sizes = {300, 200, 5, 400};
  const WeightedRows rows = Chain(4000, sizes, false, random);
  const Network network = FindCountTree(rows, sizes, 1).network;
  const auto has = [&](Feature a, Feature b) {
    return network.parents[a] == std::vector{b} || network.parents[b] == std::vector{a};
  };
  EXPECT_TRUE(has(0, 1));
  EXPECT_TRUE(has(1, 3));
  EXPECT_TRUE(network.parents[2].empty());
  // It is worth what the counts are: new rows are far likelier than with columns on their own.
  const WeightedRows fresh = Chain(2000, sizes, false, random);
  const auto nll = [&](const Network& of) {
    const auto scores = ScoreTable(FlowOf(rows, sizes, of), fresh.codes, 1);
    return -std::accumulate(scores.begin(), scores.end(), 0.0) / 2000;
  };
  EXPECT_LT(nll(network), nll({std::vector<std::vector<Feature>>(4)}) - 4);
}

// A row of its own category learns nothing from it, and is no sign; nor does a heavy one judge what it has taught.
TEST(FindCountTree, FindsNothingInChance) {
  std::mt19937_64 random(4);
  const std::vector<Code> sizes = {50, 2, 30, 100, 1};
  CodeTable codes = CodeTable::WithSizes(1000, sizes);
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    for (std::size_t i = 0; i < 1000; ++i) codes.columns[j].Set(i, static_cast<Code>(random() % sizes[j]));
    codes.columns[j].Set(0, sizes[j]);  // unseen
  }
  for (std::size_t i = 0; i < 100; ++i) codes.columns[3].Set(i, static_cast<Code>(i));
  std::vector<double> weights(1000);
  for (double& weight : weights) weight = 0.25 * static_cast<double>(1 + random() % 12);
  for (const WeightedRows& rows : {WeightedRows{codes, {}, 1}, MakeWeightedRows(codes, weights)}) {
    double arrows = 0;
    for (const auto& parents : FindCountTree(rows, sizes, 1).network.parents) {
      arrows += static_cast<double>(parents.size());
    }
    EXPECT_LE(arrows, 1);
  }
}

TEST(FindCountTree, DependsNeitherOnTheOrderOfRowsNorOnThreadsNorOnCopiesForWeights) {
  std::mt19937_64 random(5);
  const std::vector<Code> sizes = {60, 50, 5, 40};
  const WeightedRows rows = Chain(600, sizes, true, random);
  std::vector<std::size_t> copies;
  for (std::size_t i = 0; i < 600; ++i) copies.insert(copies.end(), rows.weights[i], i);
  std::shuffle(copies.begin(), copies.end(), random);
  const WeightedRows copied{rows.codes.Select(copies), {}, 1};
  const Network expected = FindCountTree(rows, sizes, 1).network;
  for (const int threads : {1, 2, 5}) EXPECT_EQ(FindCountTree(copied, sizes, threads).network, expected);
  const auto scores = [&](const WeightedRows& of) { return ScoreTable(FlowOf(of, sizes, expected), rows.codes, 1); };
  EXPECT_EQ(scores(rows), scores(copied));
}

}  // namespace
}  // namespace dtf
