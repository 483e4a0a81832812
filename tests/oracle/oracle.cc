#include "oracle/oracle.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>

#include "oracle/oracle_internal.h"

namespace dtf::oracle {
namespace {

Maps NoMaps(const Sizes& sizes) {
  Maps maps;
  for (int size : sizes) maps.emplace_back(size, -1);
  return maps;
}

Maps IdentityOn(const Sets& domain, const Sizes& sizes) {
  Maps maps = NoMaps(sizes);
  for (std::size_t j = 0; j < domain.size(); ++j) {
    for (int a : domain[j]) maps[j][a] = a;
  }
  return maps;
}

// pi(x).
void Apply(const Maps& maps, Row* x) {
  for (std::size_t j = 0; j < x->size(); ++j) (*x)[j] = maps.at(j).at((*x)[j]);
}

// pi^-1(x).
void Undo(const Maps& maps, Row* x) {
  for (std::size_t j = 0; j < x->size(); ++j) {
    const auto at = std::find(maps[j].begin(), maps[j].end(), (*x)[j]);
    (*x)[j] = static_cast<int>(at - maps[j].begin());
  }
}

// {pi(a) : a in values}, sorted.
std::vector<int> Image(const std::vector<int>& map, const std::vector<int>& values) {
  std::vector<int> image;
  for (int a : values) image.push_back(map.at(a));
  std::sort(image.begin(), image.end());
  return image;
}

Sets Image(const Maps& maps, const Sets& domain) {
  Sets image;
  for (std::size_t j = 0; j < domain.size(); ++j) image.push_back(Image(maps.at(j), domain[j]));
  return image;
}

int AddChild(Tree* tree, int parent) {
  const int child = static_cast<int>(tree->nodes.size());
  tree->nodes.emplace_back();
  tree->nodes[child].parent = parent;
  tree->nodes[child].depth = tree->nodes[parent].depth + 1;
  return child;
}

}  // namespace

// ---- Section 2.1: tree-structured permutations ---------------------------------------------------------------------

Row Forward(const Tree& tree, Row x) {
  int at = 0;
  while (true) {
    const Node& node = tree.nodes.at(at);
    Apply(node.perm, &x);
    if (node.IsLeaf()) return x;
    at = Contains(node.left_new, x[node.feature]) ? node.left : node.right;
  }
}

std::vector<int> ForwardPath(const Tree& tree, Row x) {
  std::vector<int> path{0};
  while (true) {
    const Node& node = tree.nodes.at(path.back());
    Apply(node.perm, &x);
    if (node.IsLeaf()) return path;
    path.push_back(Contains(node.left_new, x[node.feature]) ? node.left : node.right);
  }
}

void ComputeNodeDomains(Tree* tree, const Sizes& sizes) {
  tree->nodes.at(0).domain_new = WholeDomain(sizes);
  for (Node& node : tree->nodes) {  // parents come before their children
    if (node.IsLeaf()) continue;
    auto [left, right] = SplitDomain(Image(node.perm, node.domain_new), node.feature, node.left_new);
    tree->nodes[node.left].domain_new = std::move(left);
    tree->nodes[node.right].domain_new = std::move(right);
  }
}

Rows AllConfigurations(const Sizes& sizes) {
  Rows all{{}};
  for (int size : sizes) {
    Rows longer;
    for (const Row& row : all) {
      for (int a = 0; a < size; ++a) {
        longer.push_back(row);
        longer.back().push_back(a);
      }
    }
    all = std::move(longer);
  }
  return all;
}

// ---- Section 2.2 and the appendix's proofs: invertibility ----------------------------------------------------------

bool SatisfiesInvertibilityConstraint(const Tree& tree) {
  return std::all_of(tree.nodes.begin(), tree.nodes.end(),
                     [](const Node& node) { return Image(node.perm, node.domain_new) == node.domain_new; });
}

namespace {

// Two products of sets are disjoint iff they are so in some feature.
bool Disjoint(const Sets& a, const Sets& b) {
  for (std::size_t j = 0; j < a.size(); ++j) {
    if (std::none_of(a[j].begin(), a[j].end(), [&](int value) { return Contains(b[j], value); })) return true;
  }
  return false;
}

}  // namespace

bool LeafRangesDisjoint(const Tree& tree) {
  std::vector<Sets> ranges;
  for (const Node& node : tree.nodes) {
    if (node.IsLeaf()) ranges.push_back(Image(node.perm, node.domain_new));
  }
  for (std::size_t a = 0; a < ranges.size(); ++a) {
    for (std::size_t b = a + 1; b < ranges.size(); ++b) {
      if (!Disjoint(ranges[a], ranges[b])) return false;
    }
  }
  return true;
}

bool IsInvertible(const Tree& tree, const Sizes& sizes) {
  std::set<Row> images;
  for (const Row& x : AllConfigurations(sizes)) {
    if (!images.insert(Forward(tree, x)).second) return false;
  }
  return true;
}

Row Inverse(const Tree& tree, Row z) {
  int at = 0;
  while (!tree.nodes.at(at).IsLeaf()) {
    const Node& node = tree.nodes[at];
    at = Contains(node.left_new, z[node.feature]) ? node.left : node.right;
  }
  for (; at >= 0; at = tree.nodes[at].parent) Undo(tree.nodes[at].perm, &z);
  return z;
}

// ---- Section 2.3 and the appendix: expressivity --------------------------------------------------------------------

Tree SingleFeatureSwap(const Sizes& sizes, const Row& x, int j, int value) {
  Tree tree;
  tree.nodes.emplace_back();
  int at = 0;
  for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
    if (i == j || sizes[i] == 1) continue;
    const int left = AddChild(&tree, at);
    const int right = AddChild(&tree, at);
    Node& node = tree.nodes[at];
    node.left = left;
    node.right = right;
    node.feature = i;
    node.left_new = {x[i]};
    at = left;
  }
  for (Node& node : tree.nodes) node.perm = IdentityOn(WholeDomain(sizes), sizes);
  std::swap(tree.nodes[at].perm[j][x[j]], tree.nodes[at].perm[j][value]);
  ComputeNodeDomains(&tree, sizes);
  return tree;
}

Rows SnakePath(const Sizes& sizes) {
  if (sizes.empty()) return {{}};
  Rows rest = SnakePath(Sizes(sizes.begin() + 1, sizes.end()));
  Rows path;
  for (int a = 0; a < sizes[0]; ++a) {  // the rest forwards, then backwards, then forwards ...
    for (const Row& row : rest) {
      path.push_back({a});
      path.back().insert(path.back().end(), row.begin(), row.end());
    }
    std::reverse(rest.begin(), rest.end());
  }
  return path;
}

std::vector<Tree> FlowForPermutation(const Sizes& sizes, const std::vector<int>& target) {
  const Rows path = SnakePath(sizes);
  std::vector<Tree> flow;
  std::vector<int> goal = target;  // goal[i]: where what now lies in cell i has to go; sorted by neighbours' swaps
  for (std::size_t round = 0; round < goal.size(); ++round) {
    for (std::size_t i = 0; i + 1 < goal.size(); ++i) {
      if (goal[i] < goal[i + 1]) continue;
      std::swap(goal[i], goal[i + 1]);
      const auto differs = std::mismatch(path[i].begin(), path[i].end(), path[i + 1].begin());
      flow.push_back(
          SingleFeatureSwap(sizes, path[i], static_cast<int>(differs.first - path[i].begin()), *differs.second));
    }
  }
  return flow;
}

// ---- Section 3.2: learning the node permutations -------------------------------------------------------------------

namespace {

// The map that sorts the counts ascending on the domain; ties keep their order.
std::vector<int> Sort1D(const std::vector<long>& counts, const std::vector<int>& domain) {
  std::vector<int> order = domain;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return counts[a] < counts[b]; });
  std::vector<int> map(counts.size(), -1);
  for (std::size_t r = 0; r < order.size(); ++r) map[order[r]] = domain[r];
  return map;
}

// pi[c]: the count of a becomes that of pi(a).
Counts PermuteCounts(const Maps& maps, const Counts& counts) {
  Counts permuted = counts;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    for (std::size_t a = 0; a < counts[j].size(); ++a) {
      if (maps[j][a] >= 0) permuted[j][maps[j][a]] = counts[j][a];
    }
  }
  return permuted;
}

Counts Sum(Counts a, const Counts& b) {
  for (std::size_t j = 0; j < a.size(); ++j) {
    for (std::size_t i = 0; i < a[j].size(); ++i) a[j][i] += b[j][i];
  }
  return a;
}

}  // namespace

void LearnLocalPermutations(Tree* tree) {
  for (auto node = tree->nodes.rbegin(); node != tree->nodes.rend(); ++node) {  // children come after their parents
    const Counts init = node->IsLeaf()
                            ? node->counts_raw
                            : Sum(tree->nodes[node->left].counts_tilde, tree->nodes[node->right].counts_tilde);
    node->perm_tilde.clear();
    for (std::size_t j = 0; j < init.size(); ++j) node->perm_tilde.push_back(Sort1D(init[j], node->domain_raw[j]));
    node->counts_tilde = PermuteCounts(node->perm_tilde, init);
  }
}

namespace {

// pi_anc of a child: the parent's pi_N o pi_anc on the child's raw domain.
Maps AncestorsOf(const Node& child, const Node& parent, const Sizes& sizes) {
  Maps anc = NoMaps(sizes);
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    for (int a : child.domain_raw[j]) anc[j][a] = parent.perm[j][parent.anc[j][a]];
  }
  return anc;
}

}  // namespace

void ConstructEquivalentTree(Tree* tree, const Sizes& sizes) {
  for (Node& node : tree->nodes) {  // parents come before their children
    node.anc =
        node.parent < 0 ? IdentityOn(node.domain_raw, sizes) : AncestorsOf(node, tree->nodes[node.parent], sizes);
    node.domain_new = Image(node.anc, node.domain_raw);
    node.perm = NoMaps(sizes);
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      for (int a : node.domain_raw[j]) node.perm[j][node.anc[j][a]] = node.anc[j][node.perm_tilde[j][a]];
    }
    node.left_new.clear();
    if (node.IsLeaf()) continue;
    for (int v : node.left_raw) node.left_new.push_back(node.anc[node.feature][node.perm_tilde[node.feature][v]]);
    std::sort(node.left_new.begin(), node.left_new.end());
  }
}

Tree LearnTree(const Rows& rows, const Sizes& sizes, const LearnOptions& options) {
  Tree tree = ConstructTree(rows, sizes, options);
  LearnLocalPermutations(&tree);
  ConstructEquivalentTree(&tree, sizes);
  return tree;
}

std::vector<int> RawPath(const Tree& tree, const Row& x) {
  std::vector<int> path{0};
  while (!tree.nodes.at(path.back()).IsLeaf()) {
    const Node& node = tree.nodes[path.back()];
    path.push_back(Contains(node.left_raw, x.at(node.feature)) ? node.left : node.right);
  }
  return path;
}

Row ForwardByLemma(const Tree& tree, const Row& x) {
  Row z = x;
  for (int at = RawPath(tree, x).back(); at >= 0; at = tree.nodes[at].parent) Apply(tree.nodes[at].perm_tilde, &z);
  return z;
}

std::vector<Counts> NodeCounts(const Tree& tree, const Rows& rows, const Sizes& sizes) {
  std::vector<Rows> reached(tree.nodes.size());
  for (const Row& x : rows) {
    const Row z = Forward(tree, x);
    for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
      bool inside = true;
      for (std::size_t j = 0; j < z.size(); ++j) inside = inside && Contains(tree.nodes[at].domain_new[j], z[j]);
      if (inside) reached[at].push_back(z);
    }
  }
  std::vector<Counts> counts;
  for (const Rows& z : reached) counts.push_back(CountRows(z, sizes));
  return counts;
}

bool IsRankConsistent(const Tree& tree, const Rows& rows, const Sizes& sizes) {
  const std::vector<Counts> counts = NodeCounts(tree, rows, sizes);
  for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      long last = 0;
      for (int a = 0; a < sizes[j]; ++a) {
        const long count = counts[at][j][a];
        const bool inside = Contains(tree.nodes[at].domain_new[j], a);
        if (inside ? count < last : count != 0) return false;
        if (inside) last = count;
      }
    }
  }
  return true;
}

double EquivalentTreeCount(const Tree& tree) {
  double count = 1;
  for (const Node& node : tree.nodes) {
    for (const std::vector<int>& values : node.domain_raw) count *= std::tgamma(static_cast<double>(values.size()) + 1);
  }
  return count;
}

namespace {

// Gives node `at` and all after it every choice of permutations in turn; the nodes before it have theirs.
class EquivalentTrees {
 public:
  EquivalentTrees(const Tree& tree, const Sizes& sizes, const std::function<void(const Tree&)>& visit)
      : tree_(tree), sizes_(sizes), visit_(visit) {}

  void ChooseFrom(std::size_t at) {
    if (at == tree_.nodes.size()) return visit_(tree_);
    Node& node = tree_.nodes[at];
    node.anc =
        node.parent < 0 ? IdentityOn(node.domain_raw, sizes_) : AncestorsOf(node, tree_.nodes[node.parent], sizes_);
    node.domain_new = Image(node.anc, node.domain_raw);
    node.perm = NoMaps(sizes_);
    ChooseFeature(at, 0);
  }

 private:
  void ChooseFeature(std::size_t at, std::size_t j) {
    Node& node = tree_.nodes[at];
    if (j == sizes_.size()) {
      node.left_new.clear();
      if (!node.IsLeaf()) node.left_new = Image(node.perm[node.feature], Image(node.anc[node.feature], node.left_raw));
      return ChooseFrom(at + 1);
    }
    const std::vector<int> domain = node.domain_new[j];
    std::vector<int> image = domain;
    do {
      for (std::size_t r = 0; r < domain.size(); ++r) node.perm[j][domain[r]] = image[r];
      ChooseFeature(at, j + 1);
    } while (std::next_permutation(image.begin(), image.end()));
  }

  Tree tree_;
  const Sizes& sizes_;
  const std::function<void(const Tree&)>& visit_;
};

}  // namespace

void ForEachEquivalentTree(const Tree& tree, const Sizes& sizes, const std::function<void(const Tree&)>& visit) {
  EquivalentTrees(tree, sizes, visit).ChooseFrom(0);
}

// ---- The flow: layers, base, likelihood ----------------------------------------------------------------------------

std::vector<std::vector<double>> IndependentBase(const Rows& rows, const Sizes& sizes, double alpha) {
  std::vector<std::vector<double>> base;
  for (const std::vector<long>& counts : CountRows(rows, sizes)) {
    const double total = static_cast<double>(rows.size()) + alpha * static_cast<double>(counts.size());
    base.emplace_back();
    for (long count : counts) base.back().push_back((static_cast<double>(count) + alpha) / total);
  }
  return base;
}

double LogBase(const std::vector<std::vector<double>>& base, const Row& z) {
  double sum = 0;
  for (std::size_t j = 0; j < z.size(); ++j) sum += std::log(base.at(j).at(z[j]));
  return sum;
}

double MinNll(const Rows& rows, const Sizes& sizes) {
  const double n = static_cast<double>(rows.size());
  double nll = 0;
  for (const std::vector<long>& counts : CountRows(rows, sizes)) {
    nll += F(n);
    for (long count : counts) nll -= F(static_cast<double>(count));
  }
  return nll;
}

Flow FitFlow(Rows rows, const Sizes& sizes, const std::vector<LearnOptions>& layers, double alpha) {
  Flow flow;
  flow.sizes = sizes;
  for (const LearnOptions& options : layers) {
    flow.trees.push_back(LearnTree(rows, sizes, options));
    for (Row& row : rows) row = Forward(flow.trees.back(), row);
  }
  flow.base = IndependentBase(rows, sizes, alpha);
  return flow;
}

Row Encode(const Flow& flow, Row x) {
  for (const Tree& tree : flow.trees) x = Forward(tree, std::move(x));
  return x;
}

Row Decode(const Flow& flow, Row z) {
  for (auto tree = flow.trees.rbegin(); tree != flow.trees.rend(); ++tree) z = Inverse(*tree, std::move(z));
  return z;
}

double LogLikelihood(const Flow& flow, const Row& x) { return LogBase(flow.base, Encode(flow, x)); }

long ParameterCount(const Tree& tree, const Sizes& sizes) {
  const long largest = *std::max_element(sizes.begin(), sizes.end());
  long count = 0;
  for (const Node& node : tree.nodes) {
    count += 2;
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      const std::vector<int>& domain = node.domain_new[j];
      if (std::any_of(domain.begin(), domain.end(), [&](int a) { return node.perm[j][a] != a; })) count += largest;
    }
  }
  return count;
}

}  // namespace dtf::oracle
