// glp: GLP as the paper's text states it (section 3.1). The score is that of the node's rows alone, Σ_j Σ_r m_r ln m_r:
// the larger it is, the less is the negative log-likelihood of the best independent distribution. The split feature
// contributes its own counts, whichever of its codes goes left.
#include <algorithm>

#include "base/logarithm.h"
#include "learn/tsp/greedy_criterion.h"

namespace dtf {
namespace {

class GlpCriterion : public GreedyCriterion {
 public:
  using GreedyCriterion::GreedyCriterion;

 private:
  double Value(Count count) const override { return XLogX(count); }

  double Beside(const NodeTask& /*task*/, Feature /*j*/, std::span<Count> beside) const override {
    std::fill(beside.begin(), beside.end(), 0);
    return 0;
  }

  void SplitFeatureTerms(const NodeTask& task, Feature s, std::span<const Code> /*base*/,
                         std::span<const Code> /*codes*/, std::span<double> terms) const override {
    double share = 0;
    for (const Count count : task.counts.Of(layout(), s)) share += ValueAt(count);
    std::fill(terms.begin(), terms.end(), share);
  }
};

}  // namespace

std::unique_ptr<Criterion> MakeGlpCriterion(int threads, std::uint64_t split_values) {
  return std::make_unique<GlpCriterion>(threads, split_values);
}

}  // namespace dtf
