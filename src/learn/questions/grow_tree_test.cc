#include "learn/questions/grow_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "count/target_test_util.h"
#include "learn/questions/newton_rule.h"

namespace dtf {
namespace {

constexpr int kGradientBits = 5;
constexpr int kHessianBits = 3;

struct Table {
  Table(std::size_t row_count, std::size_t test_count, std::mt19937_64& random)
      : rows(row_count), tests(test_count, std::vector<bool>(row_count)), words(PlaneWords(row_count)) {
    test_planes.resize(test_count * words);
    for (std::size_t t = 0; t < test_count; ++t) {
      const std::size_t rare = 2 + t % 5;
      for (std::size_t i = 0; i < rows; ++i) Set(t, i, random() % rare == 0);
    }
    // Some tests are equal, so that gains tie.
    for (std::size_t t = 1; t < test_count; t += 3) {
      for (std::size_t i = 0; i < rows; ++i) Set(t, i, tests[t - 1][i]);
    }
    sum_planes.resize((kGradientBits + kHessianBits) * words);
    all.resize(words);
    for (std::size_t i = 0; i < rows; ++i) {
      // The gradient has to do with the tests.
      int g = static_cast<int>(random() % 9) - 4;
      for (std::size_t t = 0; t < test_count; t += 4) g += tests[t][i] ? 5 : -2;
      gradients.push_back(std::clamp(g, -15, 15));
      hessians.push_back(static_cast<int>(random() % 8));
      for (int b = 0; b < kGradientBits; ++b) SetSum(b, i, gradients[i] >> b & 1);
      for (int b = 0; b < kHessianBits; ++b) SetSum(kGradientBits + b, i, hessians[i] >> b & 1);
      all[i / 64] |= std::uint64_t{1} << (i % 64);
    }
  }

  void Set(std::size_t t, std::size_t i, bool value) {
    tests[t][i] = value;
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    std::uint64_t& word = test_planes[t * words + i / 64];
    word = value ? word | bit : word & ~bit;
  }
  void SetSum(int plane, std::size_t i, int value) {
    sum_planes[static_cast<std::size_t>(plane) * words + i / 64] |= static_cast<std::uint64_t>(value) << (i % 64);
  }
  SummedPlanes Summed() const { return {sum_planes.data(), words, kGradientBits, kHessianBits, true}; }
  PlaneMatrix Tests() const { return {test_planes.data(), tests.size(), words}; }

  std::size_t rows;
  std::vector<std::vector<bool>> tests;
  std::size_t words;
  std::vector<int> gradients;
  std::vector<int> hessians;
  std::vector<std::uint64_t> test_planes;
  std::vector<std::uint64_t> sum_planes;
  std::vector<std::uint64_t> all;
};

// The same tree, grown row by row. Which open node is split next: the best of all under a limit of leaves; else the
// last one offered, where of two children the smaller is offered last.
class SlowGrower {
 public:
  SlowGrower(const Table& table, std::vector<std::uint32_t> chosen, const SplitRule& rule, GrowthLimits limits)
      : table_(table), chosen_(std::move(chosen)), rule_(rule), limits_(limits) {}

  std::vector<QuestionNode> Grow(std::vector<std::size_t> rows) {
    Offer({0, 0, std::move(rows), {}}, limits_.leaves > 1);
    for (int leaves = 1; !open_.empty() && leaves < limits_.leaves; ++leaves) Split(leaves + 1 < limits_.leaves);
    return nodes_;
  }

 private:
  struct Node {
    std::size_t index;
    int depth;
    std::vector<std::size_t> rows;
    SplitChoice best;
  };

  NodeSums Sum(const std::vector<std::size_t>& rows) const {
    NodeSums sums;
    for (const std::size_t i : rows) {
      sums.first += table_.gradients[i];
      sums.second += table_.hessians[i];
    }
    return sums;
  }

  std::pair<std::vector<std::size_t>, std::vector<std::size_t>> Part(const Node& node, std::size_t choice) const {
    std::vector<std::size_t> pass;
    std::vector<std::size_t> fail;
    for (const std::size_t i : node.rows) (table_.tests[chosen_[choice]][i] ? pass : fail).push_back(i);
    return {pass, fail};
  }

  void Offer(Node node, bool may_split) {
    if (nodes_.size() <= node.index) nodes_.resize(node.index + 1);
    const NodeSums sums = Sum(node.rows);
    nodes_[node.index].sums = sums;
    if (!may_split || node.depth >= limits_.depth || !rule_.MaySplit(sums)) return;
    for (std::size_t t = 0; t < chosen_.size(); ++t) {
      const NodeSums pass = Sum(Part(node, t).first);
      float gain = 0;
      rule_.FindGains(sums, {&pass.first, 1}, {&pass.second, 1}, {&gain, 1});
      if (gain > node.best.gain) node.best = {t, gain};
    }
    if (node.best.gain > 0) open_.push_back(std::move(node));
  }

  void Split(bool children_may_split) {
    auto next = open_.end() - 1;
    if (limits_.leaves != std::numeric_limits<int>::max()) {
      next = std::min_element(open_.begin(), open_.end(), [](const Node& a, const Node& b) {
        return a.best.gain != b.best.gain ? a.best.gain > b.best.gain : a.index < b.index;
      });
    }
    const Node node = std::move(*next);
    open_.erase(next);
    auto [pass, fail] = Part(node, node.best.test);
    const std::size_t index = nodes_.size();
    nodes_[node.index].test = chosen_[node.best.test];
    nodes_[node.index].pass = static_cast<std::int32_t>(index);
    nodes_[node.index].fail = static_cast<std::int32_t>(index + 1);
    nodes_.resize(index + 2);
    const bool pass_is_smaller = pass.size() <= fail.size();
    Node children[2] = {{index, node.depth + 1, std::move(pass), {}}, {index + 1, node.depth + 1, std::move(fail), {}}};
    Offer(std::move(children[pass_is_smaller ? 1 : 0]), children_may_split);
    Offer(std::move(children[pass_is_smaller ? 0 : 1]), children_may_split);
  }

  const Table& table_;
  std::vector<std::uint32_t> chosen_;
  const SplitRule& rule_;
  GrowthLimits limits_;
  std::vector<QuestionNode> nodes_;
  std::vector<Node> open_;
};

void ExpectSame(const std::vector<QuestionNode>& nodes, const std::vector<QuestionNode>& expected) {
  ASSERT_EQ(nodes.size(), expected.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    SCOPED_TRACE(i);
    ASSERT_EQ(nodes[i].pass, expected[i].pass);
    ASSERT_EQ(nodes[i].fail, expected[i].fail);
    ASSERT_EQ(nodes[i].test, expected[i].test);
    ASSERT_EQ(nodes[i].sums.first, expected[i].sums.first);
    ASSERT_EQ(nodes[i].sums.second, expected[i].sums.second);
  }
}

// One grower for all, whose memory is used again.
void TestGrowth(TreeGrower& grower, std::size_t rows, std::size_t tests, GrowthLimits limits, std::mt19937_64& random) {
  SCOPED_TRACE(testing::Message() << rows << " rows, " << tests << " tests, depth " << limits.depth << ", leaves "
                                  << limits.leaves);
  const Table table(rows, tests, random);
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t t = 0; t < tests; ++t) {
    if (random() % 4 != 0) chosen.push_back(t);
  }
  std::vector<std::uint64_t> mask = table.all;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < rows; ++i) {
    if (random() % 10 == 0) {
      mask[i / 64] &= ~(std::uint64_t{1} << (i % 64));
    } else {
      kept.push_back(i);
    }
  }
  const NewtonRule rule(0.07, 0.05, 1, 0.3, 0.001);
  const auto nodes = grower.Grow(table.Tests(), chosen, table.Summed(), mask, rule, limits);
  ExpectSame(nodes, SlowGrower(table, chosen, rule, limits).Grow(kept));
}

TEST(GrowTree, GrowsWhatASlowGrowerGrows) {
  OnEachTarget([] {
    std::mt19937_64 random(3);
    TreeGrower grower;
    for (const std::size_t rows : {1, 2, 63, 64, 65, 300, 900}) {
      for (const std::size_t tests : {1, 7, 16, 33}) {
        for (const GrowthLimits limits : {GrowthLimits{0}, GrowthLimits{1}, GrowthLimits{3}, GrowthLimits{20},
                                          GrowthLimits{20, 1}, GrowthLimits{20, 2}, GrowthLimits{100, 9}}) {
          TestGrowth(grower, rows, tests, limits, random);
        }
      }
    }
  });
}

TEST(GrowTree, TiesGoToTheLowestTest) {
  std::mt19937_64 random(4);
  Table table(200, 3, random);
  for (std::size_t i = 0; i < table.rows; ++i) {
    for (std::size_t t = 0; t < 3; ++t) table.Set(t, i, table.gradients[i] > 0);
  }
  const std::uint32_t chosen[] = {1, 2};
  const NewtonRule rule(0.07, 0.05, 1, 0, 0);
  const auto nodes = TreeGrower().Grow(table.Tests(), chosen, table.Summed(), table.all, rule, {.depth = 1});
  ASSERT_EQ(nodes.size(), 3u);
  EXPECT_EQ(nodes[0].test, 1u);
}

TEST(GrowTree, ShapesNameNodesBeforeTheirChildren) {
  std::vector<QuestionNode> nodes(5);
  nodes[0] = {.test = 8, .pass = 1, .fail = 2, .sums = {}};
  nodes[2] = {.test = 9, .pass = 3, .fail = 4, .sums = {}};
  const LogitTree tree = ShapeOf(nodes);
  EXPECT_EQ(tree.nodes, (std::vector<LogitTree::Node>{{8, -1, 1}, {9, -2, -3}}));
  EXPECT_EQ(tree.leaves, std::vector<Logit>(3));
}

}  // namespace
}  // namespace dtf
