// Section 3.1: learning the structure of a tree.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "oracle/oracle.h"
#include "oracle/oracle_internal.h"

namespace dtf::oracle {

namespace {

// The counts on `domain`, ascending.
std::vector<long> SortedOn(const std::vector<long>& counts, const std::vector<int>& domain) {
  std::vector<long> sorted;
  for (int a : domain) sorted.push_back(counts[a]);
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

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

  using ScoredSplit = std::pair<Split, double>;

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
    std::vector<ScoredSplit> scored;  // ascending in (feature, value)
    for (int s = 0; s < num_features_; ++s) {
      if (!TwoValuesPresent(tree_.nodes[at].counts_raw[s])) continue;
      std::vector<ScoredSplit> of_feature = ScoreMore(at, {s, {}});
      if (options_.split_values > 1) of_feature = {GrowSet(at, Winner(of_feature))};
      scored.insert(scored.end(), of_feature.begin(), of_feature.end());
    }
    const ScoredSplit winner = Winner(scored);
    if (options_.criterion == Criterion::kGlpAligned) {
      const double now = AlignedScore(aligned_);
      if (Largest(scored) - now <= kTie * std::abs(now)) return std::nullopt;
    }
    return winner.first;
  }

  static double Largest(const std::vector<ScoredSplit>& scored) {
    double best = scored.front().second;
    for (const auto& [split, score] : scored) best = std::max(best, score);
    return best;
  }

  static ScoredSplit Winner(const std::vector<ScoredSplit>& scored) {
    const double best = Largest(scored);
    return *std::find_if(scored.begin(), scored.end(),
                         [&](const auto& candidate) { return candidate.second >= best - kTie * std::abs(best); });
  }

  // The split with each further present value in its left set.
  std::vector<ScoredSplit> ScoreMore(int at, const Split& split) const {
    std::vector<ScoredSplit> scored;
    for (int v = 0; v < sizes_[split.feature]; ++v) {
      if (tree_.nodes[at].counts_raw[split.feature][v] == 0 || Contains(split.left, v)) continue;
      Split more = split;
      more.left.push_back(v);
      std::sort(more.left.begin(), more.left.end());
      scored.push_back({more, Score(MakeCandidate(at, more))});
    }
    return scored;
  }

  ScoredSplit GrowSet(int at, ScoredSplit best) const {
    while (static_cast<int>(best.first.left.size()) < options_.split_values) {
      const std::vector<ScoredSplit> scored = ScoreMore(at, best.first);
      if (scored.size() < 2) return best;  // no value would be left for the right
      const ScoredSplit next = Winner(scored);
      if (next.second - best.second <= kTie * std::abs(next.second)) return best;
      best = next;
    }
    return best;
  }

  Candidate MakeCandidate(int at, const Split& split) const {
    const Node& node = tree_.nodes[at];
    Counts left = CountRows({}, sizes_);
    for (const Row& row : node_rows_[at]) {
      if (!Contains(split.left, row[split.feature])) continue;
      for (int j = 0; j < num_features_; ++j) ++left[j][row[j]];
    }
    Counts right = node.counts_raw;
    for (int j = 0; j < num_features_; ++j) {
      for (int a = 0; a < sizes_[j]; ++a) right[j][a] -= left[j][a];
    }
    auto [left_domain, right_domain] = SplitDomain(node.domain_raw, split.feature, split.left);
    return {node, split.feature, std::move(left), std::move(right), std::move(left_domain), std::move(right_domain)};
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
      const auto largest_first = [&](const std::vector<long>& counts) {
        std::vector<long> ranks = SortedOn(counts, domain);
        std::reverse(ranks.begin(), ranks.end());
        ranks.resize(sizes_[j], 0);
        return ranks;
      };
      const std::vector<long> node = largest_first(c.node.counts_raw[j]);
      const std::vector<long> left = largest_first(c.left[j]);
      const std::vector<long> right = largest_first(c.right[j]);
      for (int r = 0; r < sizes_[j]; ++r) {
        // When several values have gone left, the sum may have come out as less than the node's or more than all.
        const long others = std::clamp(aligned[j][r] - node[r], 0L, tree_.nodes[0].rows - c.node.rows);
        aligned[j][r] = others + left[r] + right[r];
      }
    }
    return aligned;
  }

  void Apply(int at, const Split& split) {
    if (options_.criterion == Criterion::kGlpAligned) {
      aligned_ = AlignedAfter(MakeCandidate(at, split));
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

}  // namespace dtf::oracle
