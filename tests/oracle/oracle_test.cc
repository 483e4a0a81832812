// Checks the oracle against the paper's theorems on random small tables and trees. Every generator has a fixed seed.
#include "oracle/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace dtf::oracle {
namespace {

// ---- Random tables, splits and trees -------------------------------------------------------------------------------

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : engine_(seed) {}
  int Below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
  bool Chance(int percent) { return Below(100) < percent; }
  void Shuffle(std::vector<int>* values) {
    for (int i = static_cast<int>(values->size()) - 1; i > 0; --i) std::swap((*values)[i], (*values)[Below(i + 1)]);
  }

 private:
  std::mt19937_64 engine_;
};

struct Table {
  Sizes sizes;
  Rows rows;
};

Sizes RandomSizes(Rng* rng, int max_d, int max_k) {
  Sizes sizes(2 + rng->Below(max_d - 1));
  for (int& size : sizes) size = 1 + rng->Below(max_k);
  return sizes;
}

// Skewed columns, each a noisy function of the one before it.
Table RandomTable(Rng* rng, int max_d, int max_k, int max_n) {
  Table table{RandomSizes(rng, max_d, max_k), Rows(1 + rng->Below(max_n))};
  std::vector<int> shift;
  for (int size : table.sizes) shift.push_back(rng->Below(size));
  for (Row& row : table.rows) {
    for (std::size_t j = 0; j < table.sizes.size(); ++j) {
      const int k = table.sizes[j];
      const bool copies = j > 0 && rng->Chance(60);
      row.push_back(copies ? (row[j - 1] * 2 + shift[j]) % k : (rng->Below(k) * rng->Below(k)) % k);
    }
  }
  return table;
}

// Up to all but one of the values, at least one.
std::vector<int> RandomLeftSet(Rng* rng, std::vector<int> values) {
  rng->Shuffle(&values);
  values.resize(1 + rng->Below(static_cast<int>(values.size()) - 1));
  std::sort(values.begin(), values.end());
  return values;
}

Split RandomSplit(Rng* rng, const Sets& domain) {
  const int s = rng->Below(static_cast<int>(domain.size()));
  return domain[s].size() < 2 ? Split{} : Split{s, RandomLeftSet(rng, domain[s])};
}

// Splits for a whole tree, several values on the left.
std::vector<Split> RandomSplits(Rng* rng, const Table& table, int max_depth) {
  LearnOptions options{.criterion = Criterion::kGiven};
  while (true) {
    const Tree tree = ConstructTree(table.rows, table.sizes, options);
    const std::size_t at = options.given.size();
    if (at == tree.nodes.size()) return options.given;
    const bool open = tree.nodes[at].depth < max_depth && !rng->Chance(15);
    options.given.push_back(open ? RandomSplit(rng, tree.nodes[at].domain_raw) : Split{});
  }
}

// Every criterion in turn.
LearnOptions RandomOptions(Rng* rng, const Table& table, int trial, int max_depth) {
  LearnOptions options{.criterion = static_cast<Criterion>(trial % 4)};
  options.max_depth = rng->Below(max_depth + 1);
  options.n_min = rng->Below(8);
  if (options.criterion == Criterion::kGiven) options.given = RandomSplits(rng, table, options.max_depth);
  return options;
}

// A map of the domain: onto itself, or anywhere into {0 ... size-1}, one-to-one.
std::vector<int> RandomMap(Rng* rng, const std::vector<int>& domain, int size, bool onto_itself) {
  std::vector<int> image = domain;
  if (!onto_itself) {
    image.resize(size);
    std::iota(image.begin(), image.end(), 0);
  }
  rng->Shuffle(&image);
  std::vector<int> map(size, -1);
  for (std::size_t r = 0; r < domain.size(); ++r) map[domain[r]] = image[r];
  return map;
}

// A TSP that nothing was learnt for; `percent_valid` of its maps keep the node's domain.
Tree RandomTsp(Rng* rng, const Sizes& sizes, int max_depth, int percent_valid) {
  Tree tree;
  tree.nodes.emplace_back();
  ComputeNodeDomains(&tree, sizes);
  for (int at = 0; at < static_cast<int>(tree.nodes.size()); ++at) {
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      tree.nodes[at].perm.push_back(RandomMap(rng, tree.nodes[at].domain_new[j], sizes[j], rng->Chance(percent_valid)));
    }
    Sets range = tree.nodes[at].domain_new;
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      for (int& a : range[j]) a = tree.nodes[at].perm[j][a];
    }
    const Split split = RandomSplit(rng, range);
    if (tree.nodes[at].depth == max_depth || split.feature < 0) continue;
    tree.nodes[at].feature = split.feature;
    tree.nodes[at].left_new = split.left;
    const int next = static_cast<int>(tree.nodes.size());
    tree.nodes[at].left = next;
    tree.nodes[at].right = next + 1;
    for (int i = 0; i < 2; ++i) {
      Node child;
      child.parent = at;
      child.depth = tree.nodes[at].depth + 1;
      tree.nodes.push_back(child);
    }
    ComputeNodeDomains(&tree, sizes);
  }
  return tree;
}

Rows Map(const Tree& tree, Rows rows) {
  for (Row& row : rows) row = Forward(tree, row);
  return rows;
}

double LogBaseOfAll(const Rows& rows, const Sizes& sizes, double alpha) {
  const auto base = IndependentBase(rows, sizes, alpha);
  double sum = 0;
  for (const Row& row : rows) sum += LogBase(base, row);
  return sum;
}

// ---- Section 2: the model ------------------------------------------------------------------------------------------

TEST(Tsp, PermutesTestsAndDescends) {
  Tree tree;
  tree.nodes.resize(3);
  tree.nodes[0] = {.left = 1, .right = 2, .feature = 0, .perm = {{1, 2, 0}, {0, 1}}, .left_new = {0}};
  tree.nodes[1] = {.parent = 0, .depth = 1, .perm = {{0, -1, -1}, {1, 0}}};
  tree.nodes[2] = {.parent = 0, .depth = 1, .perm = {{-1, 2, 1}, {0, 1}}};
  EXPECT_EQ(Forward(tree, {2, 0}), (Row{0, 1}));  // permuted to 0 first, then left
  EXPECT_EQ(Forward(tree, {0, 1}), (Row{2, 1}));
  EXPECT_EQ(ForwardPath(tree, {2, 0}), (std::vector<int>{0, 1}));
  ComputeNodeDomains(&tree, {3, 2});
  EXPECT_EQ(tree.nodes[1].domain_new, (Sets{{0}, {0, 1}}));
  EXPECT_EQ(tree.nodes[2].domain_new, (Sets{{1, 2}, {0, 1}}));
  EXPECT_EQ(Inverse(tree, {0, 1}), (Row{2, 0}));
}

TEST(Tsp, InvertibleIffLeafRangesAreDisjoint) {
  Rng rng(1);
  int valid = 0, lucky = 0, broken = 0;
  for (int trial = 0; trial < 10000; ++trial) {
    const Sizes sizes = RandomSizes(&rng, 3, 2 + rng.Below(3));
    const Tree tree = RandomTsp(&rng, sizes, 1 + rng.Below(3), trial % 3 == 0 ? 100 : 80);
    const bool invertible = IsInvertible(tree, sizes);
    EXPECT_EQ(invertible, LeafRangesDisjoint(tree)) << "trial " << trial;
    if (!SatisfiesInvertibilityConstraint(tree)) {
      ++(invertible ? lucky : broken);
      continue;
    }
    ++valid;
    EXPECT_TRUE(invertible) << "trial " << trial;
    for (const Row& x : AllConfigurations(sizes)) {
      const Row z = Forward(tree, x);
      EXPECT_EQ(Inverse(tree, z), x);
    }
  }
  EXPECT_GT(valid, 1000);  // the constraint holds
  EXPECT_GT(lucky, 50);    // it does not, yet the TSP is invertible: the constraint is sufficient only
  EXPECT_GT(broken, 200);
}

TEST(Expressivity, OneTspSwapsTwoCellsAndMovesNothingElse) {
  const Sizes sizes{3, 1, 2, 4};
  for (const Row& x : AllConfigurations(sizes)) {
    for (int j = 0; j < 4; ++j) {
      for (int value = 0; value < sizes[j]; ++value) {
        const Tree tree = SingleFeatureSwap(sizes, x, j, value);
        ASSERT_TRUE(SatisfiesInvertibilityConstraint(tree));
        Row other = x;
        other[j] = value;
        for (const Row& cell : AllConfigurations(sizes)) {
          EXPECT_EQ(Forward(tree, cell), cell == x ? other : cell == other ? x : cell);
        }
      }
    }
  }
}

TEST(Expressivity, SnakePathVisitsEveryCellInSteps) {
  const Sizes sizes{3, 1, 2, 4};
  const Rows path = SnakePath(sizes);
  EXPECT_EQ(std::set<Row>(path.begin(), path.end()).size(), 24u);
  EXPECT_EQ(path.size(), 24u);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    int distance = 0;
    for (std::size_t j = 0; j < sizes.size(); ++j) distance += std::abs(path[i][j] - path[i + 1][j]);
    EXPECT_EQ(distance, 1);
  }
}

TEST(Expressivity, FlowReachesEveryPermutationOfATinyDomain) {
  const Sizes sizes{2, 3};
  const Rows path = SnakePath(sizes);
  std::vector<int> target(path.size());
  std::iota(target.begin(), target.end(), 0);
  int reached = 0;
  do {
    const Flow flow{sizes, FlowForPermutation(sizes, target), {}};
    for (std::size_t i = 0; i < path.size(); ++i) {
      ASSERT_EQ(Encode(flow, path[i]), path[target[i]]);
      ASSERT_EQ(Decode(flow, path[target[i]]), path[i]);
    }
    ++reached;
  } while (std::next_permutation(target.begin(), target.end()));
  EXPECT_EQ(reached, 720);
}

// ---- Section 3.1: structure ----------------------------------------------------------------------------------------

// MinPermNLL(s, v) by trying every permutation of the rows that go right, feature by feature; the split feature is
// left as it is.
double MinPermNll(const Table& table, int s, int v) {
  double nll = 0;
  for (std::size_t j = 0; j < table.sizes.size(); ++j) {
    std::vector<int> perm(table.sizes[j]);
    std::iota(perm.begin(), perm.end(), 0);
    double best = INFINITY;
    do {
      Rows column;
      for (const Row& row : table.rows) column.push_back({row[s] == v ? row[j] : perm[row[j]]});
      best = std::min(best, MinNll(column, {table.sizes[j]}));
    } while (static_cast<int>(j) != s && std::next_permutation(perm.begin(), perm.end()));
    nll += best;
  }
  return nll;
}

TEST(ConstructTree, GlpMinimisesMinPermNll) {
  Rng rng(2);
  for (int trial = 0; trial < 60; ++trial) {
    const Table table = RandomTable(&rng, 4, 4, 60);
    const Node root = ConstructTree(table.rows, table.sizes, {.criterion = Criterion::kGlp}).nodes[0];
    double best = INFINITY;
    Split winner;
    for (int s = 0; s < static_cast<int>(table.sizes.size()); ++s) {
      for (int v = 0; v < table.sizes[s]; ++v) {
        const long count = root.counts_raw[s][v];
        if (count == 0 || count == root.rows) continue;
        const double nll = MinPermNll(table, s, v);
        if (nll < best - 1e-9 * std::abs(best) || winner.feature < 0) {
          best = nll;
          winner = {s, {v}};
        }
      }
    }
    EXPECT_EQ(root.feature, winner.feature) << "trial " << trial;
    EXPECT_EQ(root.left_raw, winner.left) << "trial " << trial;
  }
}

// Appends the rows with every feature's values renamed so that their counts ascend on the domain.
void AppendSorted(const Rows& rows, const Sets& domain, Rows* out) {
  Rows sorted = rows;
  for (std::size_t j = 0; j < domain.size(); ++j) {
    std::vector<std::pair<long, int>> order;
    for (int a : domain[j]) {
      order.push_back({std::count_if(rows.begin(), rows.end(), [&](const Row& row) { return row[j] == a; }), a});
    }
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t r = 0; r < order.size(); ++r) {
        if (rows[i][j] == order[r].second) sorted[i][j] = domain[j][r];
      }
    }
  }
  out->insert(out->end(), sorted.begin(), sorted.end());
}

// The score of the authors' program as a likelihood: of all rows, those of node `at` with either child sorted, the
// others as they are.
double GlpCodeLogLikelihood(const Table& table, const Tree& tree, int at, int s, int v) {
  Rows left, right, all;
  for (const Row& row : table.rows) {
    const std::vector<int> path = RawPath(tree, row);
    const bool inside = std::find(path.begin(), path.end(), at) != path.end();
    (!inside ? all : row[s] == v ? left : right).push_back(row);
  }
  Sets left_domain = tree.nodes[at].domain_raw, right_domain = left_domain;
  left_domain[s] = {v};
  std::erase(right_domain[s], v);
  AppendSorted(left, left_domain, &all);
  AppendSorted(right, right_domain, &all);
  return LogBaseOfAll(all, table.sizes, 0.01);
}

TEST(ConstructTree, GlpCodeMaximisesTheSmoothedLikelihoodOfTheLayer) {
  Rng rng(10);
  int splits = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Table table = RandomTable(&rng, 4, 4, 25);
    const Tree tree =
        ConstructTree(table.rows, table.sizes, {.criterion = Criterion::kGlpCode, .max_depth = 3, .n_min = 1});
    for (int at = 0; at < static_cast<int>(tree.nodes.size()); ++at) {
      const Node& node = tree.nodes[at];
      if (node.IsLeaf()) continue;
      double best = -INFINITY;
      Split winner;
      for (int s = 0; s < static_cast<int>(table.sizes.size()); ++s) {
        for (int v = 0; v < table.sizes[s]; ++v) {
          if (node.counts_raw[s][v] == 0 || node.counts_raw[s][v] == node.rows) continue;
          const double score = GlpCodeLogLikelihood(table, tree, at, s, v);
          if (winner.feature >= 0 && score <= best + 1e-10 * std::abs(best)) continue;
          best = score;
          winner = {s, {v}};
        }
      }
      EXPECT_EQ(node.feature, winner.feature) << "trial " << trial << " node " << at;
      EXPECT_EQ(node.left_raw, winner.left) << "trial " << trial << " node " << at;
      ++splits;
    }
  }
  EXPECT_GT(splits, 800);
}

// T of the aligned criterion from scratch: T_j = desc(root) + sum over the inner nodes that do not split on j of
// desc(left) + desc(right) - desc(node), where desc are a node's counts of j in descending order.
double AlignedScore(const Tree& tree) {
  double score = 0;
  for (std::size_t j = 0; j < tree.nodes[0].counts_raw.size(); ++j) {
    std::vector<long> t(tree.nodes[0].counts_raw[j].size(), 0);
    const auto add = [&](int at, int sign) {
      std::vector<long> counts = tree.nodes[at].counts_raw[j];
      std::sort(counts.rbegin(), counts.rend());
      for (std::size_t r = 0; r < t.size(); ++r) t[r] += sign * counts[r];
    };
    add(0, 1);
    for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
      const Node& node = tree.nodes[at];
      if (node.IsLeaf() || node.feature == static_cast<int>(j)) continue;
      add(node.left, 1);
      add(node.right, 1);
      add(static_cast<int>(at), -1);
    }
    for (long count : t) score += count > 0 ? static_cast<double>(count) * std::log(static_cast<double>(count)) : 0;
  }
  return score;
}

// The best split of node `at` of the tree given by `taken`, by building the tree for every candidate.
Split BestAlignedSplit(const Table& table, const std::vector<Split>& taken) {
  LearnOptions options{.criterion = Criterion::kGiven, .given = taken};
  const Tree before = ConstructTree(table.rows, table.sizes, options);
  const Node& node = before.nodes[taken.size()];
  std::vector<std::pair<double, Split>> scored;
  for (int s = 0; s < static_cast<int>(table.sizes.size()); ++s) {
    for (int v = 0; v < table.sizes[s]; ++v) {
      if (node.counts_raw[s][v] == 0 || node.counts_raw[s][v] == node.rows) continue;
      options.given = taken;
      options.given.push_back({s, {v}});
      scored.push_back({AlignedScore(ConstructTree(table.rows, table.sizes, options)), {s, {v}}});
    }
  }
  double best = AlignedScore(before);
  Split winner;
  for (const auto& [score, split] : scored) {
    if (score <= best + 1e-9 * std::abs(best)) continue;
    best = score;
    winner = split;
  }
  return winner;
}

TEST(ConstructTree, AlignedTakesTheBestSplitOfTheWholeLayerOrNone) {
  Rng rng(3);
  int splits = 0, refused = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const Table table = RandomTable(&rng, 4, 4, 80);
    const LearnOptions options{.criterion = Criterion::kGlpAligned, .max_depth = 3, .n_min = 5};
    const Tree tree = ConstructTree(table.rows, table.sizes, options);
    std::vector<Split> taken;
    for (const Node& node : tree.nodes) {
      Split best;
      if (MaySplit(node, options)) {
        best = BestAlignedSplit(table, taken);
        ++(best.feature < 0 ? refused : splits);
      }
      EXPECT_EQ(node.feature, best.feature) << "trial " << trial;
      EXPECT_EQ(node.left_raw, best.left) << "trial " << trial;
      taken.push_back({node.feature, node.left_raw});
    }
  }
  EXPECT_GT(splits, 100);
  EXPECT_GT(refused, 20);
}

TEST(ConstructTree, AlignedRefusesIndependentColumns) {
  const Sizes sizes{2, 3};
  Table table{sizes, {}};
  for (const Row& x : AllConfigurations(sizes)) table.rows.insert(table.rows.end(), (x[0] + 1) * (x[1] + 2), x);
  LearnOptions options{.criterion = Criterion::kGlpAligned, .max_depth = 3};
  EXPECT_EQ(ConstructTree(table.rows, sizes, options).nodes.size(), 1u);
  options.criterion = Criterion::kGlp;
  EXPECT_GT(ConstructTree(table.rows, sizes, options).nodes.size(), 1u);
}

TEST(ConstructTree, SmallestFeatureAndValueWinTies) {
  // Columns 1 and 2 are equal, column 0 is constant; every value of either column is as good as the other.
  const Rows rows{{0, 0, 0}, {0, 0, 0}, {0, 1, 1}, {0, 1, 1}};
  for (Criterion criterion : {Criterion::kGlp, Criterion::kGlpCode, Criterion::kGlpAligned}) {
    const Tree tree = ConstructTree(rows, {1, 2, 2}, {.criterion = criterion});
    EXPECT_EQ(tree.nodes[0].feature, 1);
    EXPECT_EQ(tree.nodes[0].left_raw, std::vector<int>{0});
  }
}

TEST(ConstructTree, StopsByRowsDepthAndConstantColumns) {
  const Rows rows{{0, 0}, {1, 1}, {0, 1}};
  const Sizes sizes{2, 2};
  EXPECT_EQ(ConstructTree(rows, sizes, {.max_depth = 1, .n_min = 2}).nodes.size(), 3u);
  EXPECT_EQ(ConstructTree(rows, sizes, {.max_depth = 1, .n_min = 3}).nodes.size(), 1u);  // more rows, not as many
  EXPECT_EQ(ConstructTree(rows, sizes, {.max_depth = 0}).nodes.size(), 1u);
  EXPECT_EQ(ConstructTree({{0, 1}, {0, 1}}, sizes, {.max_depth = 5}).nodes.size(), 1u);
  const Tree tree = ConstructTree(rows, sizes, {.max_depth = 9});  // down to one configuration a leaf
  for (const Node& node : tree.nodes) EXPECT_EQ(node.IsLeaf(), node.rows == 1);
}

// ---- Section 3.2: permutations -------------------------------------------------------------------------------------

TEST(TwoPasses, GiveAValidEquivalentRankConsistentTree) {
  Rng rng(4);
  for (int trial = 0; trial < 800; ++trial) {
    SCOPED_TRACE(trial);
    const Table table = RandomTable(&rng, 4, 4, 120);
    Tree tree = LearnTree(table.rows, table.sizes, RandomOptions(&rng, table, trial, 4));
    EXPECT_TRUE(SatisfiesInvertibilityConstraint(tree));
    EXPECT_TRUE(LeafRangesDisjoint(tree));
    EXPECT_TRUE(IsInvertible(tree, table.sizes));
    EXPECT_TRUE(IsRankConsistent(tree, table.rows, table.sizes));
    for (const Row& x : AllConfigurations(table.sizes)) {
      EXPECT_EQ(ForwardPath(tree, x), RawPath(tree, x));
      EXPECT_EQ(Forward(tree, x), ForwardByLemma(tree, x));
      EXPECT_EQ(Inverse(tree, Forward(tree, x)), x);
    }
    const std::vector<Node> learnt = tree.nodes;
    ComputeNodeDomains(&tree, table.sizes);
    for (std::size_t at = 0; at < learnt.size(); ++at) EXPECT_EQ(tree.nodes[at].domain_new, learnt[at].domain_new);
  }
}

// The lemma "Relation between local and new node counts": c_new = pi_anc[c~].
TEST(TwoPasses, NewCountsAreTheLocalCountsPermutedByTheAncestors) {
  Rng rng(5);
  for (int trial = 0; trial < 200; ++trial) {
    const Table table = RandomTable(&rng, 4, 4, 120);
    const Tree tree = LearnTree(table.rows, table.sizes, RandomOptions(&rng, table, trial, 4));
    const std::vector<Counts> counts = NodeCounts(tree, table.rows, table.sizes);
    for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
      const Node& node = tree.nodes[at];
      for (std::size_t j = 0; j < table.sizes.size(); ++j) {
        for (int a : node.domain_raw[j]) EXPECT_EQ(counts[at][j][node.anc[j][a]], node.counts_tilde[j][a]);
      }
    }
  }
}

TEST(TwoPasses, OnlyTheSplitFeatureIsPermutedAboveTheLeaves) {
  Rng rng(6);
  for (int trial = 0; trial < 200; ++trial) {
    const Table table = RandomTable(&rng, 4, 4, 120);
    for (const Node& node : LearnTree(table.rows, table.sizes, RandomOptions(&rng, table, trial, 4)).nodes) {
      for (int j = 0; !node.IsLeaf() && j < static_cast<int>(table.sizes.size()); ++j) {
        if (j == node.feature) continue;
        for (int a : node.domain_raw[j]) EXPECT_EQ(node.perm_tilde[j][a], a);
      }
    }
  }
}

TEST(TwoPasses, TiesKeepTheirCodeOrder) {
  const Tree tree = LearnTree({{0}, {0}, {1}, {2}, {3}, {3}}, {5}, {.max_depth = 0});
  EXPECT_EQ(tree.nodes[0].perm_tilde[0], (std::vector<int>{3, 1, 2, 4, 0}));  // counts 2 1 1 2 0
  EXPECT_EQ(tree.nodes[0].perm, tree.nodes[0].perm_tilde);
}

TEST(TwoPasses, NoEquivalentTreeIsBetter) {
  Rng rng(7);
  double enumerated = 0;
  int strict = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Table table = RandomTable(&rng, 3, 3, 40);
    const Tree learnt = LearnTree(table.rows, table.sizes, RandomOptions(&rng, table, trial, 3));
    if (EquivalentTreeCount(learnt) > 2000) continue;
    const double nll = MinNll(Map(learnt, table.rows), table.sizes);
    double count = 0, best = INFINITY, worst = 0;
    ForEachEquivalentTree(learnt, table.sizes, [&](const Tree& tree) {
      ++count;
      ASSERT_TRUE(SatisfiesInvertibilityConstraint(tree));
      for (const Row& x : table.rows) ASSERT_EQ(ForwardPath(tree, x), RawPath(learnt, x));
      const double other = MinNll(Map(tree, table.rows), table.sizes);
      best = std::min(best, other);
      worst = std::max(worst, other);
    });
    EXPECT_EQ(count, EquivalentTreeCount(learnt));
    EXPECT_NEAR(nll, best, 1e-9);
    enumerated += count;
    strict += worst > best + 1e-6;
  }
  EXPECT_GT(enumerated, 10000);
  EXPECT_GT(strict, 50);
}

TEST(RankConsistency, IsNotMetByTheTreeAsGrown) {
  const Rows rows{{0, 0}, {0, 0}, {1, 1}};
  Tree tree = LearnTree(rows, {2, 2}, {.max_depth = 0});
  EXPECT_TRUE(IsRankConsistent(tree, rows, {2, 2}));
  tree.nodes[0].perm = {{0, 1}, {0, 1}};
  EXPECT_FALSE(IsRankConsistent(tree, rows, {2, 2}));
}

// ---- The flow ------------------------------------------------------------------------------------------------------

TEST(DiscreteTreeFlow, IsAnInvertibleNormalisedDistribution) {
  Rng rng(8);
  for (int trial = 0; trial < 100; ++trial) {
    SCOPED_TRACE(trial);
    const Table table = RandomTable(&rng, 4, 3, 150);
    LearnOptions options{.criterion = static_cast<Criterion>(trial % 3), .max_depth = 1 + rng.Below(4)};
    options.n_min = rng.Below(10);
    const Flow flow = FitFlow(table.rows, table.sizes, std::vector<LearnOptions>(3, options), 0.5);
    double total = 0;
    std::set<Row> codes;
    for (const Row& x : AllConfigurations(table.sizes)) {
      const Row z = Encode(flow, x);
      codes.insert(z);
      EXPECT_EQ(Decode(flow, z), x);
      EXPECT_EQ(LogLikelihood(flow, x), LogBase(flow.base, z));
      EXPECT_LE(LogLikelihood(flow, x), 0);
      total += std::exp(LogLikelihood(flow, x));
    }
    EXPECT_EQ(codes.size(), AllConfigurations(table.sizes).size());
    EXPECT_NEAR(total, 1, 1e-12);
  }
}

TEST(DiscreteTreeFlow, TrainingNllNeverRises) {
  Rng rng(9);
  int fell = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Table table = RandomTable(&rng, 5, 4, 200);
    for (int layer = 0; layer < 4; ++layer) {
      const double nll = MinNll(table.rows, table.sizes);
      const double smoothed = LogBaseOfAll(table.rows, table.sizes, 0.001);
      const LearnOptions options = RandomOptions(&rng, table, trial, 4);
      table.rows = Map(LearnTree(table.rows, table.sizes, options), table.rows);
      EXPECT_LE(MinNll(table.rows, table.sizes), nll + 1e-9);
      EXPECT_GE(LogBaseOfAll(table.rows, table.sizes, 0.001), smoothed - 1e-9);
      fell += MinNll(table.rows, table.sizes) < nll - 1e-6;
    }
  }
  EXPECT_GT(fell, 300);
}

TEST(DiscreteTreeFlow, BaseAndParametersOfASmallExample) {
  const Rows rows{{0, 0}, {0, 0}, {1, 1}};
  const auto base = IndependentBase(rows, {2, 3}, 0.5);
  EXPECT_DOUBLE_EQ(base[0][0], 2.5 / 4);
  EXPECT_DOUBLE_EQ(base[1][2], 0.5 / 4.5);
  EXPECT_NEAR(MinNll(rows, {2, 3}), 2 * -(2 * std::log(2 / 3.) + std::log(1 / 3.)), 1e-12);
  const Tree tree = LearnTree(rows, {2, 3}, {.max_depth = 0});  // both features of the only node are permuted
  EXPECT_EQ(ParameterCount(tree, {2, 3}), 2 + 2 * 3);
}

}  // namespace
}  // namespace dtf::oracle
