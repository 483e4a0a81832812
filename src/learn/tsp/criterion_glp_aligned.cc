// glp-aligned: GLP scored against the whole layer. For each feature it keeps the sum, over the tree's present leaves,
// of their sorted counts, aligned at the most frequent rank. Splitting a leaf replaces its sorted counts by its
// children's, so Σ_j Σ_r value(sum after the split) is, up to a constant and split features, the training
// log-likelihood that the two passes will reach; a split that does not raise it is refused. The split feature's sums
// stay as they are, as the split node sorts that feature again. (When several codes go left, the sum less the node's
// count may therefore be negative, or more than all other rows: it is brought back into that range.)
#include <algorithm>
#include <functional>

#include "base/logarithm.h"
#include "learn/tsp/greedy_criterion.h"

namespace dtf {
namespace {

class GlpAlignedCriterion : public GreedyCriterion {
 public:
  using GreedyCriterion::GreedyCriterion;

  void StartLayer(const CodeLayout& layout, const NodeCounts& all) override {
    GreedyCriterion::StartLayer(layout, all);
    total_ = all.total;
    aligned_.clear();
    for (Feature j = 0; j < layout.features(); ++j) aligned_.push_back(MostFrequentFirst(all, j));
    UpdateScore();
  }

  void Split(Feature feature, const NodeCounts& node, const NodeCounts& left, const NodeCounts& right) override {
    for (Feature j = 0; j < layout().features(); ++j) {
      if (j == feature) continue;
      const auto before = MostFrequentFirst(node, j);
      const auto of_left = MostFrequentFirst(left, j);
      const auto of_right = MostFrequentFirst(right, j);
      const Count others = total_ - node.total;
      for (std::size_t r = 0; r < before.size(); ++r) {
        aligned_[j][r] = Others(aligned_[j][r], before[r], others) + of_left[r] + of_right[r];
      }
    }
    UpdateScore();
  }

 private:
  double Value(Count count) const override { return XLogX(count); }
  double LeastScore() const override { return score_; }

  double Beside(const NodeTask& task, Feature j, std::span<Count> beside) const override {
    const auto node = MostFrequentFirst(task.counts, j);
    const std::size_t present = beside.size();
    const Count others = total_ - task.counts.total;
    for (std::size_t r = 0; r < present; ++r) beside[present - 1 - r] = Others(aligned_[j][r], node[r], others);
    double constant = 0;
    for (std::size_t r = present; r < aligned_[j].size(); ++r) constant += ValueAt(Others(aligned_[j][r], 0, others));
    return constant;
  }

  void SplitFeatureTerms(const NodeTask& /*task*/, Feature s, std::span<const Code> /*base*/,
                         std::span<const Code> /*codes*/, std::span<double> terms) const override {
    double share = 0;
    for (const Count count : aligned_[s]) share += ValueAt(count);
    std::fill(terms.begin(), terms.end(), share);
  }

  // What other rows, so many in all, have of a sum.
  static Count Others(Count sum, Count node, Count others) { return sum < node ? 0 : std::min(sum - node, others); }

  std::vector<Count> MostFrequentFirst(const NodeCounts& counts, Feature j) const {
    const auto of_feature = counts.Of(layout(), j);
    std::vector<Count> sorted(of_feature.begin(), of_feature.end());
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    return sorted;
  }

  void UpdateScore() {
    score_ = 0;
    for (const auto& ranks : aligned_) {
      for (const Count count : ranks) score_ += ValueAt(count);
    }
  }

  Count total_ = 0;
  std::vector<std::vector<Count>> aligned_;  // of each feature, most frequent rank first
  double score_ = 0;
};

}  // namespace

std::unique_ptr<Criterion> MakeGlpAlignedCriterion(int threads, std::uint64_t split_values) {
  return std::make_unique<GlpAlignedCriterion>(threads, split_values);
}

}  // namespace dtf
