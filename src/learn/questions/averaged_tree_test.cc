#include "learn/questions/averaged_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "count/logit_kernels.h"
#include "count/target_test_util.h"
#include "learn/questions/question_test_util.h"

namespace dtf {
namespace {

constexpr std::size_t kTests = 3;  // one binary column each; the answer is the column after them

WeightedRows RandomRows(std::size_t rows, bool weighted, std::mt19937_64& random) {
  WeightedRows table;
  table.codes = CodeTable::WithSizes(rows, std::vector<Code>(kTests + 1, 2));
  const auto noise = 2 + random() % 6;
  for (std::size_t i = 0; i < rows; ++i) {
    Code sum = random() % noise == 0;
    for (std::size_t j = 0; j < kTests; ++j) {
      const auto code = static_cast<Code>(random() % 2);
      table.codes.columns[j].Set(i, code);
      sum += j < 2 ? code : 0;
    }
    table.codes.columns[kTests].Set(i, sum % 2);
    if (weighted) table.weights.push_back(1 + random() % 4);
  }
  return table;
}

// What the tree is learnt from.
struct Questioned {
  explicit Questioned(const WeightedRows& table, std::size_t tests = kTests)
      : planes(table.codes, Tests()),
        rows(AskedColumn(table.codes.columns[kTests], FindRanges(BalancedQuestions(2))), 0, QuestionWeights(table),
             planes, FirstTests(tests)) {}

  static std::vector<CodeTest> Tests() {
    std::vector<CodeTest> tests;
    for (Feature j = 0; j < kTests; ++j) tests.push_back({j, 1, 1});
    return tests;
  }

  ContextPlanes planes;
  QuestionRows rows;
};

LogitTree GrowAveragedTree(const QuestionRows& rows) { return GrowAveragedTree(rows, MarginalOf(rows)); }

// ln of the probability of the answers, one after the other, each by the Krichevsky-Trofimov estimate from those
// before.
double LnEvidence(double yes, double no) {
  double sum = 0;
  for (int y = 0; y < yes; ++y) sum += std::log((y + 0.5) / (y + 1));
  for (int n = 0; n < no; ++n) sum += std::log((n + 0.5) / (yes + n + 1));
  return sum;
}

// One pruning of a tree: its share of the average so far, and what it predicts for each leaf of the whole tree.
struct Pruning {
  double ln_weight = 0;
  std::map<std::size_t, double> prediction;
};

class Average {
 public:
  Average(const LogitTree& tree, const QuestionRows& rows) : tree_(tree), rows_(rows) {}

  std::vector<double> Predictions() const {
    const std::int32_t root = tree_.nodes.empty() ? -1 : 0;
    const std::vector<std::uint64_t> all(rows_.all().begin(), rows_.all().end());
    double total = 0;
    std::vector<double> sums(tree_.leaves.size());
    for (const Pruning& pruning : Prunings(root, all)) {
      const double weight = std::exp(pruning.ln_weight);
      total += weight;
      for (const auto& [leaf, prediction] : pruning.prediction) sums[leaf] += weight * prediction;
    }
    for (double& sum : sums) sum /= total;
    return sums;
  }

 private:
  // {no, yes} among the rows of a mask.
  std::array<double, 2> Count(const std::vector<std::uint64_t>& mask) const {
    std::array<double, 2> counts = {};
    for (std::size_t i = 0; i < rows_.rows(); ++i) {
      if ((mask[i / 64] >> (i % 64) & 1) == 0) continue;
      const double weight = rows_.unit() * (rows_.weights().empty() ? 1 : rows_.weights()[i]);
      counts[rows_.yes()[i / 64] >> (i % 64) & 1] += weight;
    }
    return counts;
  }

  void ForEachLeaf(std::int32_t node, const auto& f) const {
    if (node < 0) return f(static_cast<std::size_t>(-1 - node));
    ForEachLeaf(tree_.nodes[static_cast<std::size_t>(node)].pass, f);
    ForEachLeaf(tree_.nodes[static_cast<std::size_t>(node)].fail, f);
  }

  std::vector<Pruning> Prunings(std::int32_t node, const std::vector<std::uint64_t>& mask) const {
    const auto [no, yes] = Count(mask);
    const double prior = 0.5 / static_cast<double>(std::max<std::size_t>(rows_.tests().planes, 1));
    Pruning stop{.ln_weight = LnEvidence(yes, no) + (node < 0 ? 0 : std::log(1 - prior)), .prediction = {}};
    ForEachLeaf(node,
                [&, yes = yes, no = no](std::size_t leaf) { stop.prediction[leaf] = (yes + 0.5) / (yes + no + 1); });
    std::vector<Pruning> prunings = {stop};
    if (node < 0) return prunings;
    const LogitTree::Node& split = tree_.nodes[static_cast<std::size_t>(node)];
    std::vector<std::uint64_t> pass = mask;
    std::vector<std::uint64_t> fail = mask;
    for (std::size_t w = 0; w < mask.size(); ++w) {
      pass[w] &= rows_.tests()[split.test][w];
      fail[w] &= ~rows_.tests()[split.test][w];
    }
    for (const Pruning& a : Prunings(split.pass, pass)) {
      for (const Pruning& b : Prunings(split.fail, fail)) {
        Pruning both{.ln_weight = std::log(prior) + a.ln_weight + b.ln_weight, .prediction = a.prediction};
        both.prediction.insert(b.prediction.begin(), b.prediction.end());
        prunings.push_back(std::move(both));
      }
    }
    return prunings;
  }

  const LogitTree& tree_;
  const QuestionRows& rows_;
};

TEST(AveragedTree, PredictsTheMeanOverAllPrunings) {
  std::mt19937_64 random(1);
  std::size_t most_leaves = 0;
  for (int round = 0; round < 200; ++round) {
    const Questioned data(RandomRows(1 + random() % 60, round % 2 == 1, random));
    const LogitTree tree = GrowAveragedTree(data.rows);
    const std::vector<double> expected = Average(tree, data.rows).Predictions();
    ASSERT_EQ(tree.leaves.size(), expected.size());
    for (std::size_t l = 0; l < expected.size(); ++l) {
      EXPECT_NEAR(kLogitUnit * tree.leaves[l], std::log(expected[l] / (1 - expected[l])), kLogitUnit);
    }
    most_leaves = std::max(most_leaves, expected.size());
  }
  EXPECT_GT(most_leaves, 5u);
}

TEST(AveragedTree, WithoutASplitIsTheMarginal) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 20; ++round) {
    WeightedRows table = RandomRows(1 + random() % 50, round % 2 == 1, random);
    const Questioned no_tests(table, 0);
    const auto is_marginal = [](const QuestionRows& rows) {
      const LogitTree tree = GrowAveragedTree(rows);
      EXPECT_TRUE(tree.nodes.empty());
      EXPECT_EQ(tree.leaves, std::vector<Logit>{MarginalOf(rows)});
      const double odds = (rows.total_yes() + 0.5) / (rows.total() - rows.total_yes() + 0.5);
      EXPECT_NEAR(kLogitUnit * tree.leaves[0], std::log(odds), kLogitUnit);
    };
    is_marginal(no_tests.rows);
    for (std::size_t i = 0; i < table.codes.rows; ++i) table.codes.columns[kTests].Set(i, 1);  // all say yes
    is_marginal(Questioned(table).rows);
  }
}

TEST(AveragedTree, DependsNeitherOnTheOrderOfRowsNorOnTheInstructionSet) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20; ++round) {
    const WeightedRows table = RandomRows(500, round % 2 == 1, random);
    const LogitTree tree = GrowAveragedTree(Questioned(table).rows);
    std::vector<std::size_t> order(table.codes.rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    WeightedRows shuffled{table.codes.Select(order), {}, table.unit};
    for (const std::size_t row : order) {
      if (!table.weights.empty()) shuffled.weights.push_back(table.weights[row]);
    }
    EXPECT_EQ(GrowAveragedTree(Questioned(shuffled).rows), tree);
    OnEachTarget([&] { EXPECT_EQ(GrowAveragedTree(Questioned(table).rows), tree); });
  }
}

// The same predictions; the nodes may be numbered otherwise.
TEST(AveragedTree, AWeightIsSoManyRows) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 20; ++round) {
    const WeightedRows table = RandomRows(100, true, random);
    std::vector<std::size_t> copies;
    for (std::size_t i = 0; i < table.codes.rows; ++i) copies.insert(copies.end(), table.weights[i], i);
    const Questioned weighted(table);
    const Questioned copied({table.codes.Select(copies), {}, 1});
    std::vector<Logit> expected(64 * weighted.rows.words());
    std::vector<Logit> logits(expected.size());
    AddTree(GrowAveragedTree(weighted.rows), weighted.rows.tests(), expected);
    AddTree(GrowAveragedTree(copied.rows), weighted.rows.tests(), logits);
    EXPECT_EQ(logits, expected);
  }
}

// Rows that always follow a test are told so: the tree's loss is near 0, the marginal's is not.
TEST(AveragedTree, FindsWhatTheAnswerFollows) {
  std::mt19937_64 random(5);
  WeightedRows table = RandomRows(1000, false, random);
  for (std::size_t i = 0; i < table.codes.rows; ++i) {
    table.codes.columns[kTests].Set(i, table.codes.columns[0].At(i) ^ table.codes.columns[1].At(i) ^ (i % 50 == 0));
  }
  const Questioned data(table);
  std::vector<Logit> logits(64 * data.rows.words());
  AddTree(GrowAveragedTree(data.rows), data.rows.tests(), logits);
  EXPECT_LT(data.rows.Loss(logits), 0.15 * data.rows.total());
}

}  // namespace
}  // namespace dtf
