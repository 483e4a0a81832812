#include "oracle/oracle.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <set>

namespace dtf::oracle {
namespace {

double F(double c) { return c > 0 ? c * std::log(c) : 0; }

bool Contains(const std::vector<int>& sorted, int value) {
  return std::binary_search(sorted.begin(), sorted.end(), value);
}

Sets WholeDomain(const Sizes& sizes) {
  Sets domain;
  for (int size : sizes) {
    domain.emplace_back(size);
    std::iota(domain.back().begin(), domain.back().end(), 0);
  }
  return domain;
}

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

// The two parts of a domain on either side of "x_feature in left".
std::pair<Sets, Sets> SplitDomain(const Sets& domain, int feature, const std::vector<int>& left) {
  std::pair<Sets, Sets> parts{domain, domain};
  std::erase_if(parts.first[feature], [&](int a) { return !Contains(left, a); });
  std::erase_if(parts.second[feature], [&](int a) { return Contains(left, a); });
  return parts;
}

Counts CountRows(const Rows& rows, const Sizes& sizes) {
  Counts counts;
  for (int size : sizes) counts.emplace_back(size, 0);
  for (const Row& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) ++counts.at(j).at(row[j]);
  }
  return counts;
}

// The counts on `domain`, ascending.
std::vector<long> SortedOn(const std::vector<long>& counts, const std::vector<int>& domain) {
  std::vector<long> sorted;
  for (int a : domain) sorted.push_back(counts[a]);
  std::sort(sorted.begin(), sorted.end());
  return sorted;
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

// ---- Section 3.1: learning the structure ---------------------------------------------------------------------------

namespace {

bool TwoValuesPresent(const std::vector<long>& counts) {
  return std::count_if(counts.begin(), counts.end(), [](long c) { return c > 0; }) >= 2;
}

// Sum of f over left + right, both sorted.
double GlpTerm(const std::vector<long>& left, const std::vector<long>& right) {
  double sum = 0;
  for (std::size_t r = 0; r < left.size(); ++r) sum += F(static_cast<double>(left[r] + right[r]));
  return sum;
}

// Grows one tree; keeps what the criteria need to know about the layer as it stands.
class Grower {
 public:
  Grower(const Rows& rows, const Sizes& sizes, const LearnOptions& options)
      : sizes_(sizes), options_(options), num_features_(static_cast<int>(sizes.size())) {
    AddNode(-1, rows, WholeDomain(sizes));
    for (const std::vector<long>& counts : tree_.nodes[0].counts_raw) {
      aligned_.push_back(counts);
      std::sort(aligned_.back().rbegin(), aligned_.back().rend());
    }
  }

  Tree Grow() {
    for (int at = 0; at < static_cast<int>(tree_.nodes.size()); ++at) {
      if (const std::optional<Split> split = ChooseSplit(at)) Apply(at, *split);
    }
    return std::move(tree_);
  }

 private:
  // What a candidate split is scored by.
  struct Candidate {
    const Node& node;
    int feature;
    Counts left, right;              // counts of the two children
    Sets left_domain, right_domain;  // and their domains
  };

  int AddNode(int parent, Rows rows, Sets domain) {
    const int at = static_cast<int>(tree_.nodes.size());
    Node node;
    node.parent = parent;
    node.depth = parent < 0 ? 0 : tree_.nodes[parent].depth + 1;
    node.rows = static_cast<long>(rows.size());
    node.domain_raw = std::move(domain);
    node.counts_raw = CountRows(rows, sizes_);
    tree_.nodes.push_back(std::move(node));
    node_rows_.push_back(std::move(rows));
    return at;
  }

  std::optional<Split> ChooseSplit(int at) const {
    if (options_.criterion == Criterion::kGiven) {
      if (at >= static_cast<int>(options_.given.size()) || options_.given[at].feature < 0) return std::nullopt;
      return options_.given[at];
    }
    if (!MaySplit(tree_.nodes[at], options_)) return std::nullopt;
    return BestSplit(at);
  }

  // FindBestSplit.
  std::optional<Split> BestSplit(int at) const {
    std::vector<std::pair<Split, double>> scored;  // ascending in (feature, value)
    for (int s = 0; s < num_features_; ++s) {
      const std::vector<long>& present = tree_.nodes[at].counts_raw[s];
      if (!TwoValuesPresent(present)) continue;
      const std::vector<Counts> left_counts = CountsGivenValue(at, s);
      for (int v = 0; v < sizes_[s]; ++v) {
        if (present[v] == 0) continue;
        scored.push_back({Split{s, {v}}, Score(MakeCandidate(at, s, v, left_counts[v]))});
      }
    }
    double best = scored.front().second;
    for (const auto& [split, score] : scored) best = std::max(best, score);
    if (options_.criterion == Criterion::kGlpAligned) {
      const double now = AlignedScore(aligned_);
      if (best - now <= kTie * std::abs(now)) return std::nullopt;
    }
    const auto winner = std::find_if(scored.begin(), scored.end(), [&](const auto& candidate) {
      return candidate.second >= best - kTie * std::abs(best);
    });
    return winner->first;
  }

  // Element v: the counts of the node's rows that have v in feature s.
  std::vector<Counts> CountsGivenValue(int at, int s) const {
    std::vector<Counts> result(sizes_[s], CountRows({}, sizes_));
    for (const Row& row : node_rows_[at]) {
      for (int j = 0; j < num_features_; ++j) ++result[row[s]][j][row[j]];
    }
    return result;
  }

  Candidate MakeCandidate(int at, int s, int v, Counts left) const {
    const Node& node = tree_.nodes[at];
    Counts right = node.counts_raw;
    for (int j = 0; j < num_features_; ++j) {
      for (int a = 0; a < sizes_[j]; ++a) right[j][a] -= left[j][a];
    }
    auto [left_domain, right_domain] = SplitDomain(node.domain_raw, s, {v});
    return {node, s, std::move(left), std::move(right), std::move(left_domain), std::move(right_domain)};
  }

  double Score(const Candidate& c) const {
    switch (options_.criterion) {
      case Criterion::kGlp:
        return GlpScore(c);
      case Criterion::kGlpCode:
        return GlpCodeScore(c);
      default:
        return AlignedScore(AlignedAfter(c));
    }
  }

  double GlpScore(const Candidate& c) const {
    double score = 0;
    for (int j = 0; j < num_features_; ++j) {
      if (j == c.feature) {
        for (long count : c.node.counts_raw[j]) score += F(static_cast<double>(count));
      } else {
        score += GlpTerm(SortedOn(c.left[j], c.node.domain_raw[j]), SortedOn(c.right[j], c.node.domain_raw[j]));
      }
    }
    return score;
  }

  double GlpCodeScore(const Candidate& c) const {
    constexpr double kAlpha = 0.01;
    const Node& root = tree_.nodes[0];
    const double n = static_cast<double>(root.rows);
    double score = 0;
    for (int j = 0; j < num_features_; ++j) {
      std::vector<long> counts = root.counts_raw[j];
      for (int a = 0; a < sizes_[j]; ++a) counts[a] -= c.node.counts_raw[j][a];
      AddSorted(c.left[j], c.left_domain[j], &counts);
      AddSorted(c.right[j], c.right_domain[j], &counts);
      for (long count : counts) {
        const double x = static_cast<double>(count);
        score += x * std::log((x + kAlpha) / (n + kAlpha * sizes_[j]));
      }
    }
    return score / n;
  }

  // Adds the counts, sorted ascending on the domain, to the codes of the domain.
  static void AddSorted(const std::vector<long>& counts, const std::vector<int>& domain, std::vector<long>* sum) {
    const std::vector<long> sorted = SortedOn(counts, domain);
    for (std::size_t r = 0; r < domain.size(); ++r) (*sum)[domain[r]] += sorted[r];
  }

  static double AlignedScore(const Counts& aligned) {
    double score = 0;
    for (const std::vector<long>& ranks : aligned) {
      for (long count : ranks) score += F(static_cast<double>(count));
    }
    return score;
  }

  // T after the split.
  Counts AlignedAfter(const Candidate& c) const {
    Counts aligned = aligned_;
    for (int j = 0; j < num_features_; ++j) {
      if (j == c.feature) continue;
      const std::vector<int>& domain = c.node.domain_raw[j];  // also the children's
      const std::vector<long> node = SortedOn(c.node.counts_raw[j], domain);
      const std::vector<long> left = SortedOn(c.left[j], domain);
      const std::vector<long> right = SortedOn(c.right[j], domain);
      const std::size_t size = domain.size();
      for (std::size_t r = 0; r < size; ++r) {
        const std::size_t i = size - 1 - r;
        aligned[j][r] += left[i] + right[i] - node[i];
      }
    }
    return aligned;
  }

  void Apply(int at, const Split& split) {
    if (options_.criterion == Criterion::kGlpAligned) {
      const int v = split.left.front();
      aligned_ = AlignedAfter(MakeCandidate(at, split.feature, v, CountsGivenValue(at, split.feature)[v]));
    }
    std::vector<int> left = split.left;
    std::sort(left.begin(), left.end());
    Rows left_rows, right_rows;
    for (const Row& row : node_rows_[at]) (Contains(left, row[split.feature]) ? left_rows : right_rows).push_back(row);
    auto [left_domain, right_domain] = SplitDomain(tree_.nodes[at].domain_raw, split.feature, left);
    const int left_child = AddNode(at, std::move(left_rows), std::move(left_domain));
    const int right_child = AddNode(at, std::move(right_rows), std::move(right_domain));
    Node& node = tree_.nodes[at];
    node.feature = split.feature;
    node.left_raw = std::move(left);
    node.left = left_child;
    node.right = right_child;
    node_rows_[at].clear();
  }

  const Sizes& sizes_;
  const LearnOptions& options_;
  const int num_features_;
  Tree tree_;
  std::vector<Rows> node_rows_;
  Counts aligned_;  // T_j[r], rank 0 the largest
};

}  // namespace

bool MaySplit(const Node& node, const LearnOptions& options) {
  return node.rows > options.n_min && node.depth < options.max_depth &&
         std::any_of(node.counts_raw.begin(), node.counts_raw.end(), TwoValuesPresent);
}

Tree ConstructTree(const Rows& rows, const Sizes& sizes, const LearnOptions& options) {
  return Grower(rows, sizes, options).Grow();
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
