// Against the recursion of the header, written down densely: every node's distribution of every column, over its
// domain.
#include "flow/leaf_base.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "engine/random_tsp.h"
#include "engine/tables.h"
#include "tree/compiled_tsp.h"

namespace dtf {
namespace {

using Distribution = std::vector<double>;  // by code

struct Case {
  std::vector<Code> sizes;
  Tsp tree;
  oracle::Rows images;               // rows as the tree gives them
  std::vector<std::int32_t> leaves;  // of these
};

std::vector<std::int32_t> LeavesOf(const Tsp& tree, const oracle::Rows& images, const std::vector<Code>& sizes) {
  const CodeTable codes = ToCodeTable(images, sizes);
  return CompiledTsp(tree, sizes).LeavesOfImages(CodeBlock(codes, 0, codes.rows));
}

Case MakeCase(RandomStream& random, int most_rows) {
  const RandomTable table = MakeRandomTable(random, most_rows, 4, 5);
  Tsp tree = Tsp::Make(ToTspNodes(MakeRandomTsp(random, table.sizes, 4), table.sizes), table.sizes);
  std::vector<std::int32_t> leaves = LeavesOf(tree, table.rows, table.sizes);
  return {table.sizes, std::move(tree), table.rows, std::move(leaves)};
}

Ragged<CodeCount> CountLeaves(const Case& c) {
  Ragged<CodeCount> counts;
  for (std::int32_t node = 0; node < c.tree.size(); ++node) {
    if (!c.tree.is_leaf(node)) continue;
    for (std::size_t j = 0; j < c.sizes.size(); ++j) {
      std::map<Code, std::uint64_t> of_code;
      for (std::size_t i = 0; i < c.images.size(); ++i) {
        if (c.leaves[i] == node) ++of_code[static_cast<Code>(c.images[i][j])];
      }
      std::vector<CodeCount> list;
      for (const auto& [code, count] : of_code) list.push_back({code, count});
      counts.Append(list);
    }
  }
  return counts;
}

LeafBase MakeBase(const Case& c, double alpha, double prior_rows, bool closed) {
  return {c.tree, c.sizes, CountLeaves(c), 1, alpha, prior_rows, closed};
}

// ln Q of each of the whole domain's rows, by the recursion.
class Dense {
 public:
  Dense(const Case& c, const IndependentBase& root, double prior_rows) : case_(c), prior_rows_(prior_rows) {
    std::vector<Distribution> of_root;
    for (std::size_t j = 0; j < c.sizes.size(); ++j) {
      double seen = 0;
      Distribution& q = of_root.emplace_back();
      for (Code a = 0; a < c.sizes[j]; ++a) seen += std::exp(root.LogProb(j, a));
      for (Code a = 0; a < c.sizes[j]; ++a) q.push_back(std::exp(root.LogProb(j, a)) / seen);
      seen_ *= seen;
    }
    Visit(0, c.images, of_root, 1);
  }

  double LogProb(const oracle::Row& row, std::int32_t leaf) const {
    double p = seen_ * share_.at(leaf);
    for (std::size_t j = 0; j < row.size(); ++j) p *= q_.at(leaf)[j][row[j]];
    return std::log(p);
  }

 private:
  void Visit(std::int32_t node, const oracle::Rows& rows, const std::vector<Distribution>& q, double share) {
    if (case_.tree.is_leaf(node)) {
      share_[node] = share;
      q_[node] = q;
      return;
    }
    const TspNodes& nodes = case_.tree.nodes();
    const Feature s = nodes.feature[node];
    const auto left_set = nodes.left_set[node];
    const auto goes_left = [&](Code code) { return std::count(left_set.begin(), left_set.end(), code) > 0; };
    for (const bool left : {true, false}) {
      oracle::Rows own;
      for (const oracle::Row& row : rows) {
        if (goes_left(static_cast<Code>(row[s])) == left) own.push_back(row);
      }
      std::vector<Distribution> prior = q;
      double kept = 0;
      for (Code a = 0; a < prior[s].size(); ++a) {
        if (goes_left(a) != left) prior[s][a] = 0;
        kept += prior[s][a];
      }
      for (double& p : prior[s]) p /= kept;
      std::vector<Distribution> of_child = prior;
      for (std::size_t j = 0; j < of_child.size(); ++j) {
        for (double& p : of_child[j]) p *= prior_rows_;
        for (const oracle::Row& row : own) ++of_child[j][row[j]];
        for (double& p : of_child[j]) p /= static_cast<double>(own.size()) + prior_rows_;
      }
      Visit(left ? nodes.left[node] : nodes.right[node], own, of_child, share * kept);
    }
  }

  const Case& case_;
  double prior_rows_;
  double seen_ = 1;
  std::map<std::int32_t, double> share_;
  std::map<std::int32_t, std::vector<Distribution>> q_;
};

double SumOfShares(const LeafBase& base, const oracle::Row& row, std::int32_t leaf) {
  double sum = 0;
  for (Feature j = 0; j < row.size(); ++j) sum += base.LogProb(leaf, j, static_cast<Code>(row[j]));
  return sum;
}

TEST(LeafBase, IsTheRecursionOfEveryNode) {
  RandomStream random(1, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 200; ++round) {
    const Case c = MakeCase(random, 60);
    const double prior_rows = round % 3 == 0 ? 0.25 : 7;
    const LeafBase base = MakeBase(c, 0.5, prior_rows, round % 2 == 0);
    const Dense dense(c, base.root(), prior_rows);
    const oracle::Rows domain = WholeDomain(c.sizes).rows;
    const auto leaves = LeavesOf(c.tree, domain, c.sizes);
    double mass = 0;
    for (std::size_t i = 0; i < domain.size(); ++i) {
      const double log_prob = SumOfShares(base, domain[i], leaves[i]);
      EXPECT_NEAR(log_prob, dense.LogProb(domain[i], leaves[i]), 1e-9);
      mass += std::exp(log_prob);
    }
    EXPECT_NEAR(mass, 1 - base.root().unseen().mass, 1e-12);
  }
}

TEST(LeafBase, SumsToOneOverValuesNeverSeenToo) {
  RandomStream random(2, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 100; ++round) {
    const Case c = MakeCase(random, 40);
    const LeafBase base = MakeBase(c, 0.75, 3, false);
    std::vector<Code> with_slots = c.sizes;
    for (Code& size : with_slots) ++size;
    const oracle::Rows domain = WholeDomain(with_slots).rows;
    const auto leaves = LeavesOf(c.tree, domain, c.sizes);
    double mass = 0;
    for (std::size_t i = 0; i < domain.size(); ++i) mass += std::exp(SumOfShares(base, domain[i], leaves[i]));
    EXPECT_NEAR(mass, 1, 1e-12);
  }
}

TEST(LeafBase, IsTheIndependentOneWithManyPriorRows) {
  RandomStream random(3, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 50; ++round) {
    const Case c = MakeCase(random, 60);
    const LeafBase base = MakeBase(c, 0.5, 1e15, false);
    for (std::size_t i = 0; i < c.images.size(); ++i) {
      double independent = 0;
      for (std::size_t j = 0; j < c.sizes.size(); ++j) {
        independent += base.root().LogProb(j, static_cast<Code>(c.images[i][j]));
      }
      EXPECT_NEAR(SumOfShares(base, c.images[i], c.leaves[i]), independent, 1e-9);
    }
  }
}

// Without smoothing, what no row has is impossible: nowhere NaN, and it is not drawn.
TEST(LeafBase, WithoutSmoothingDrawsOnlyWhatIsPossible) {
  RandomStream random(4, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 100; ++round) {
    const Case c = MakeCase(random, 12);
    const LeafBase base = MakeBase(c, 0, 2, true);
    double mass = 0;
    const oracle::Rows domain = WholeDomain(c.sizes).rows;
    const auto leaves = LeavesOf(c.tree, domain, c.sizes);
    for (std::size_t i = 0; i < domain.size(); ++i) mass += std::exp(SumOfShares(base, domain[i], leaves[i]));
    EXPECT_NEAR(mass, 1, 1e-12);
    std::vector<std::uint64_t> numbers(50);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    CodeBlock block(numbers.size(), c.sizes.size());
    base.SampleRows(round, numbers, block);
    oracle::Rows drawn(numbers.size(), oracle::Row(c.sizes.size()));
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      for (std::size_t j = 0; j < c.sizes.size(); ++j) drawn[i][j] = static_cast<int>(block[j][i]);
    }
    const auto leaves_of_drawn = LeavesOf(c.tree, drawn, c.sizes);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      EXPECT_GT(SumOfShares(base, drawn[i], leaves_of_drawn[i]), -std::numeric_limits<double>::infinity());
    }
  }
}

}  // namespace
}  // namespace dtf
