// glp-code: the score of the program behind the paper's printed numbers. The node's aligned counts are added to the
// raw, unsorted counts of all other rows of the layer; the distribution over the whole table's domain is smoothed by
// 0.01; the split feature's counts are sorted, too, in each child over its domain: the codes that go left, and the
// others.
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

  void SplitFeatureTerms(const NodeTask& task, Feature s, std::span<const Code> base, std::span<const Code> codes,
                         std::span<double> terms) const override {
    const CodeSet domain = task.domain.Of(s);
    const auto counts = task.counts.Of(layout(), s);
    std::vector<Count> sorted;
    for (Code i = 0; i < domain.size(); ++i) sorted.push_back(counts[domain.At(i)]);
    std::sort(sorted.begin(), sorted.end());
    std::vector<bool> goes_left(layout().size(s), false);
    for (const Code code : base) goes_left[code] = true;
    for (std::size_t c = 0; c < codes.size(); ++c) {
      goes_left[codes[c]] = true;
      terms[c] = SplitFeatureTerm(task, s, domain, sorted, goes_left);
      goes_left[codes[c]] = false;
    }
  }

  // sorted: the node's counts on its domain.
  double SplitFeatureTerm(const NodeTask& task, Feature s, const CodeSet& domain, const std::vector<Count>& sorted,
                          const std::vector<bool>& goes_left) const {
    const auto counts = task.counts.Of(layout(), s);
    std::vector<Count> left;
    std::vector<Count> right = sorted;
    for (Code code = 0; code < layout().size(s); ++code) {
      if (!goes_left[code]) continue;
      left.push_back(counts[code]);
      right.erase(std::lower_bound(right.begin(), right.end(), counts[code]));
    }
    std::sort(left.begin(), left.end());
    double term = Normalization(s);
    auto next_left = left.begin();
    auto next_right = right.begin();
    for (Code code = 0; code < layout().size(s); ++code) {
      Count count = Others(task, s, code);
      if (goes_left[code]) {
        count += *next_left++;
      } else if (domain.Contains(code)) {
        count += *next_right++;
      }
      term += ValueAt(count);
    }
    return term;
  }

  // Rows of the layer outside the node that have this code.
  Count Others(const NodeTask& task, Feature j, Code code) const {
    return all_.Of(layout(), j)[code] - task.counts.Of(layout(), j)[code];
  }
  double Normalization(Feature j) const { return -(all_.total * Ln(all_.total + kAlpha * layout().size(j))); }

  NodeCounts all_;
};

}  // namespace

std::unique_ptr<Criterion> MakeGlpCodeCriterion(int threads, std::uint64_t split_values) {
  return std::make_unique<GlpCodeCriterion>(threads, split_values);
}

}  // namespace dtf
