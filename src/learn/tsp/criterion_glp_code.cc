// glp-code: what the program behind the paper's printed numbers scores. Beside the node's aligned counts stand the raw,
// unsorted counts of all other rows of the layer; the distribution over the whole table's domain is smoothed by 0.01;
// the split feature's counts are sorted too, in the right child, over its domain without the code that goes left.
#include <algorithm>

#include "base/logarithm.h"
#include "learn/tsp/greedy_criterion.h"

namespace dtf {
namespace {

constexpr double kAlpha = 0.01;

class GlpCodeCriterion : public GreedyCriterion {
 public:
  using GreedyCriterion::GreedyCriterion;

  void StartLayer(const CodeLayout& layout, const NodeCounts& all) override {
    GreedyCriterion::StartLayer(layout, all);
    all_ = all;
  }

 private:
  double Value(Count count) const override { return count == 0 ? 0 : count * Ln(count + kAlpha); }

  double Beside(const NodeTask& task, Feature j, std::span<Count> beside) const override {
    // The sorted counts fill the domain's codes in order; those of the p present codes fill its p highest.
    const CodeSet domain = task.domain.Of(j);
    const auto first_filled = domain.size() - static_cast<Code>(beside.size());
    Code next = first_filled;
    for (Count& count : beside) count = Others(task, j, domain.At(next++));
    double constant = Normalization(j);
    Code filled = first_filled;
    for (Code code = 0; code < layout().size(j); ++code) {
      if (filled < domain.size() && domain.At(filled) == code) {
        ++filled;
      } else {
        constant += ValueAt(Others(task, j, code));
      }
    }
    return constant;
  }

  void SplitFeatureTerms(const NodeTask& task, Feature s, std::span<const Code> codes,
                         std::span<double> terms) const override {
    const CodeSet domain = task.domain.Of(s);
    const auto counts = task.counts.Of(layout(), s);
    std::vector<Count> sorted;
    for (Code i = 0; i < domain.size(); ++i) sorted.push_back(counts[domain.At(i)]);
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t c = 0; c < codes.size(); ++c) {
      std::vector<Count> right = sorted;
      right.erase(std::lower_bound(right.begin(), right.end(), counts[codes[c]]));
      terms[c] = Normalization(s);
      auto next = right.begin();
      for (Code code = 0; code < layout().size(s); ++code) {
        Count count = Others(task, s, code);
        if (code == codes[c]) {
          count += counts[code];
        } else if (domain.Contains(code)) {
          count += *next++;
        }
        terms[c] += ValueAt(count);
      }
    }
  }

  // Rows of the layer outside the node that have this code.
  Count Others(const NodeTask& task, Feature j, Code code) const {
    return all_.Of(layout(), j)[code] - task.counts.Of(layout(), j)[code];
  }
  double Normalization(Feature j) const { return -(all_.total * Ln(all_.total + kAlpha * layout().size(j))); }

  NodeCounts all_;
};

}  // namespace

std::unique_ptr<Criterion> MakeGlpCodeCriterion(int threads) { return std::make_unique<GlpCodeCriterion>(threads); }

}  // namespace dtf
