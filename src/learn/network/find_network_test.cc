#include "learn/network/find_network.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "learn/network/family_scores.h"

namespace dtf {
namespace {

// Columns that depend on some of those before them in a random order.
WeightedRows RandomRows(std::size_t rows, const std::vector<Code>& sizes, bool weighted, std::mt19937_64& random) {
  std::vector<Feature> order(sizes.size());
  std::iota(order.begin(), order.end(), Feature{0});
  std::shuffle(order.begin(), order.end(), random);
  WeightedRows table{CodeTable::WithSizes(rows, sizes), {}, 1};
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Feature parent = order[k / 2];
    for (std::size_t i = 0; i < rows; ++i) {
      const bool copies = k > 0 && random() % 3 != 0;
      const std::size_t code = copies ? table.codes.columns[parent].At(i) : random();
      table.codes.columns[order[k]].Set(i, static_cast<Code>(code % sizes[order[k]]));
    }
  }
  for (std::size_t i = 0; weighted && i < rows; ++i) table.weights.push_back(1 + random() % 4);
  return table;
}

// The same by the definition: a frequency for each combination of codes.
double SlowScore(const WeightedRows& rows, Feature column, const std::vector<Feature>& parents, double cost) {
  std::map<std::vector<Code>, std::map<Code, double>> counts;
  std::map<Code, double> own;
  for (std::size_t i = 0; i < rows.codes.rows; ++i) {
    std::vector<Code> given;
    for (const Feature parent : parents) given.push_back(rows.codes.columns[parent].At(i));
    const double weight = rows.RowWeight(i);
    counts[given][rows.codes.columns[column].At(i)] += weight;
    own[rows.codes.columns[column].At(i)] += weight;
  }
  double score = 0;
  for (const auto& [given, of_given] : counts) {
    double total = 0;
    for (const auto& [code, count] : of_given) total += count;
    for (const auto& [code, count] : of_given) score += count * std::log(count / total);
    score -= cost * static_cast<double>(own.size() - 1);
  }
  return score;
}

double ScoreOf(const WeightedRows& rows, const Network& network, double cost) {
  double score = 0;
  for (Feature j = 0; j < network.parents.size(); ++j) score += SlowScore(rows, j, network.parents[j], cost);
  return score;
}

// Whether every column is in the order, after its parents.
bool IsOrderOf(const std::vector<Feature>& order, const Network& network) {
  std::vector<std::size_t> position(network.parents.size(), order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = k;
  for (Feature j = 0; j < network.parents.size(); ++j) {
    if (position[j] == order.size()) return false;
    for (const Feature parent : network.parents[j]) {
      if (position[parent] >= position[j]) return false;
    }
  }
  return order.size() == network.parents.size();
}

TEST(FamilyScores, AreLikelihoodsLessTheCostOfParameters) {
  std::mt19937_64 random(1);
  const std::vector<Code> sizes = {3, 2, 4, 2, 5};
  for (const bool weighted : {false, true}) {
    WeightedRows rows = RandomRows(200, sizes, weighted, random);
    rows.codes.columns[2].Set(7, 4);  // an unseen slot
    if (weighted) rows.unit = 0.25;
    const FamilyScores scores(rows, 1.5);
    for (int round = 0; round < 40; ++round) {
      const auto column = static_cast<Feature>(random() % sizes.size());
      std::vector<Feature> parents;
      std::vector<Feature> others;
      for (Feature j = 0; j < sizes.size(); ++j) {
        if (j != column) (random() % 2 == 0 ? parents : others).push_back(j);
      }
      const FamilyScores::Family family = scores.Of(column, parents, others, 2);
      EXPECT_NEAR(family.score, SlowScore(rows, column, parents, 1.5), 1e-7);
      ASSERT_EQ(family.with.size(), others.size());
      for (std::size_t i = 0; i < others.size(); ++i) {
        std::vector<Feature> more = parents;
        more.push_back(others[i]);
        EXPECT_NEAR(family.with[i], SlowScore(rows, column, more, 1.5), 1e-7);
      }
      ASSERT_EQ(family.without.size(), parents.size());
      for (std::size_t i = 0; i < parents.size(); ++i) {
        std::vector<Feature> fewer = parents;
        std::erase(fewer, parents[i]);
        EXPECT_NEAR(family.without[i], SlowScore(rows, column, fewer, 1.5), 1e-7);
      }
    }
  }
}

TEST(FamilyScores, DoNotCountTablesOfTooManyCells) {
  WeightedRows rows{CodeTable::WithSizes(300, std::vector<Code>{300, 300, 2}), {}, 1};
  for (std::size_t i = 0; i < 300; ++i) {
    for (const Feature j : {0u, 1u}) rows.codes.columns[j].Set(i, static_cast<Code>(i));
    rows.codes.columns[2].Set(i, i % 2);
  }
  const FamilyScores scores(rows, 1);
  const std::vector<Feature> none;
  EXPECT_EQ(scores.Of(0, std::vector<Feature>{1}, none, 1).score, -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isfinite(scores.Of(0, std::vector<Feature>{2}, none, 1).score));
  const std::vector<double> without = scores.Of(0, std::vector<Feature>{1, 2}, none, 1).without;
  EXPECT_TRUE(std::isfinite(without[0]));
  EXPECT_EQ(without[1], -std::numeric_limits<double>::infinity());
}

// However many combinations of single codes there could be: few of these go together.
TEST(FamilyScores, WhatMayBeAddedHasAScore) {
  std::mt19937_64 random(9);
  WeightedRows rows{CodeTable::WithSizes(2000, std::vector<Code>{300, 20, 300, 2}), {}, 1};
  for (std::size_t i = 0; i < 2000; ++i) {
    const auto group = static_cast<Code>(random() % 20);
    rows.codes.columns[0].Set(i, 15 * group + static_cast<Code>(random() % 10));
    rows.codes.columns[1].Set(i, group);
    rows.codes.columns[2].Set(i, 15 * group + static_cast<Code>(random() % 2));
    rows.codes.columns[3].Set(i, static_cast<Code>(random() % 2));
  }
  const FamilyScores scores(rows, 1);
  const std::vector<Feature> all = {0, 1, 2};
  const std::vector<double> with = scores.Of(3, std::vector<Feature>{0, 2}, std::vector<Feature>{1}, 1).with;
  EXPECT_NEAR(with[0], SlowScore(rows, 3, all, 1), 1e-7);
  EXPECT_NEAR(scores.Of(3, all, {}, 1).score, with[0], 1e-7);
}

// All networks of four columns: each pair is one of three ways, without a cycle.
std::vector<Network> AllNetworks() {
  std::vector<Network> networks;
  for (int ways = 0; ways < 729; ++ways) {
    Network network{std::vector<std::vector<Feature>>(4)};
    int rest = ways;
    for (Feature a = 0; a < 4; ++a) {
      for (Feature b = a + 1; b < 4; ++b, rest /= 3) {
        if (rest % 3 == 1) network.parents[b].push_back(a);
        if (rest % 3 == 2) network.parents[a].push_back(b);
      }
    }
    if (IsOrderOf(ParentsFirst(network), network)) networks.push_back(network);
  }
  return networks;
}

TEST(FindNetwork, FindsTheBestOfAllNetworksOfFourColumns) {
  std::mt19937_64 random(2);
  const std::vector<Network> networks = AllNetworks();
  ASSERT_EQ(networks.size(), 543u);  // Robinson 1973
  for (int round = 0; round < 12; ++round) {
    const WeightedRows rows = RandomRows(60 + random() % 200, {2, 3, 2, 4}, round % 2 == 1, random);
    for (const double cost : {1.0, 3.0}) {
      double best = -1e300;
      for (const Network& network : networks) best = std::max(best, ScoreOf(rows, network, cost));
      EXPECT_NEAR(ScoreOf(rows, FindNetwork(rows, {.parameter_cost = cost}).network, cost), best, 1e-6);
    }
  }
}

TEST(FindNetwork, DependsNeitherOnThreadsNorOnTheOrderOfRows) {
  std::mt19937_64 random(3);
  const std::vector<Code> sizes = {2, 3, 2, 4, 2, 2, 3, 2, 5, 2, 2, 2};
  const WeightedRows rows = RandomRows(300, sizes, false, random);
  const Network expected = FindNetwork(rows, {}).network;
  EXPECT_TRUE(IsOrderOf(ParentsFirst(expected), expected));
  std::vector<std::size_t> order(300);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (const int threads : {2, 3}) {
    std::shuffle(order.begin(), order.end(), random);
    EXPECT_EQ(FindNetwork({rows.codes.Select(order), {}, 1}, {.threads = threads}).network, expected);
  }
}

// A weight is so many rows.
TEST(FindNetwork, TakesAWeightForSoManyRows) {
  std::mt19937_64 random(4);
  const std::vector<Code> sizes = {2, 3, 2, 4, 2, 2};
  const WeightedRows weighted = RandomRows(100, sizes, true, random);
  std::vector<std::size_t> copies;
  for (std::size_t i = 0; i < 100; ++i) copies.insert(copies.end(), weighted.weights[i], i);
  EXPECT_EQ(FindNetwork(weighted, {}).network, FindNetwork({weighted.codes.Select(copies), {}, 1}, {}).network);
}

// What is not explained by either of two columns alone, but by both, points their arrows.
TEST(FindNetwork, TellsCausesFromEffects) {
  std::mt19937_64 random(5);
  WeightedRows rows{CodeTable::WithSizes(2000, std::vector<Code>{2, 2, 2}), {}, 1};
  for (std::size_t i = 0; i < 2000; ++i) {
    const std::size_t a = random() % 2;
    const std::size_t b = random() % 2;
    rows.codes.columns[0].Set(i, static_cast<Code>(a));
    rows.codes.columns[2].Set(i, static_cast<Code>(b));
    rows.codes.columns[1].Set(i, static_cast<Code>(random() % 10 == 0 ? random() % 2 : a & b));
  }
  EXPECT_EQ(FindNetwork(rows, {.parameter_cost = 4}).network, (Network{{{}, {0, 2}, {}}}));
}

TEST(FindNetwork, EndsWhenTheWorkIsDone) {
  std::mt19937_64 random(6);
  const WeightedRows rows = RandomRows(100, std::vector<Code>(8, 2), false, random);
  const FoundNetwork none = FindNetwork(rows, {.most_work = 0});
  EXPECT_EQ(none.network.parents, std::vector<std::vector<Feature>>(8));
  EXPECT_NEAR(none.work, LeastNetworkWork(100, 8), 1e-6);
  const FoundNetwork few = FindNetwork(rows, {.most_work = 1.5 * none.work});
  EXPECT_LT(few.work, 2 * none.work);
  EXPECT_TRUE(IsOrderOf(ParentsFirst(few.network), few.network));
}

}  // namespace
}  // namespace dtf
