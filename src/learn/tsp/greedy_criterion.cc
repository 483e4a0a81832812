#include "learn/tsp/greedy_criterion.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "count/aligned_terms.h"

namespace dtf {
namespace {

// Cells of a block's counts that stay in a core's second-level cache.
constexpr std::size_t kBlockCells = std::size_t{1} << 17;
// Fewer candidate-feature pairs than this are scored faster by one thread than shared out.
constexpr std::size_t kPairsWorthThreads = 20000;

std::vector<Candidate> CandidatesOf(const NodeTask& task) {
  std::vector<Candidate> candidates;
  for (const Feature feature : task.features) {
    auto codes = task.counter.present(feature);
    // With two codes in all, either one going left is the same split.
    if (task.domain.Of(feature).size() == 2) codes = codes.first(1);
    for (const Code code : codes) candidates.push_back({feature, code});
  }
  return candidates;
}

}  // namespace

// What the candidates of a node have in common, for each feature.
struct GreedyCriterion::Background {
  Ragged<Count> node;    // the node's counts of the present codes
  Ragged<Count> beside;  // by rank
  std::vector<double> constant;
};

void GreedyCriterion::StartLayer(const CodeLayout& layout, const NodeCounts& all) {
  layout_ = &layout;
  for (std::size_t count = values_.size(); count <= all.total; ++count) {
    values_.push_back(Value(static_cast<Count>(count)));
  }
}

std::optional<Candidate> GreedyCriterion::BestSplit(const NodeTask& task) {
  const std::vector<Candidate> candidates = CandidatesOf(task);
  const std::vector<double> scores = Scores(task, candidates);
  const double best = *std::max_element(scores.begin(), scores.end());
  const double tolerance = kTieTolerance * std::abs(best);
  if (best - tolerance <= LeastScore()) return std::nullopt;
  const auto chosen = std::find_if(scores.begin(), scores.end(), [&](double score) { return score >= best - tolerance; });
  return candidates[chosen - scores.begin()];
}

std::vector<double> GreedyCriterion::Scores(const NodeTask& task, std::span<const Candidate> candidates) const {
  Background background;
  std::size_t present_codes = 0;
  std::vector<Count> counts;
  for (Feature j = 0; j < layout().features(); ++j) {
    counts.clear();
    for (const Code code : task.counter.present(j)) counts.push_back(task.counts.Of(layout(), j)[code]);
    background.node.Append(counts);
    background.constant.push_back(Beside(task, j, counts));
    background.beside.Append(counts);
    present_codes += counts.size();
  }

  const std::size_t lanes = BlockCounts::kLanes;
  const std::size_t width = std::clamp(kBlockCells / (present_codes * lanes), std::size_t{1}, std::size_t{16}) * lanes;
  const std::size_t blocks = (candidates.size() + width - 1) / width;
  const bool shared = candidates.size() * present_codes > kPairsWorthThreads;
  std::vector<double> scores(candidates.size(), 0);
  ParallelFor(shared ? threads_ : 1, blocks, [&](std::size_t block) {
    const std::size_t first = block * width;
    const std::size_t size = std::min(width, candidates.size() - first);
    ScoreBlock(task, background, candidates.subspan(first, size), std::span(scores).subspan(first, size));
  });
  return scores;
}

void GreedyCriterion::ScoreBlock(const NodeTask& task, const Background& background,
                                 std::span<const Candidate> candidates, std::span<double> scores) const {
  const BlockCounts block = task.counter.Count(candidates);
  std::vector<double> terms(block.width());
  std::vector<Code> codes;
  auto own = candidates.begin();  // the block's candidates of feature j
  for (Feature j = 0; j < layout().features(); ++j) {
    AlignedTerms(block, j, background.node[j], background.beside[j], values_, terms);
    for (double& term : terms) term += background.constant[j];
    const auto own_end = std::find_if(own, candidates.end(), [j](const Candidate& c) { return c.feature != j; });
    if (own != own_end) {
      codes.clear();
      for (auto candidate = own; candidate != own_end; ++candidate) codes.push_back(candidate->value);
      SplitFeatureTerms(task, j, codes, std::span(terms).subspan(own - candidates.begin(), codes.size()));
      own = own_end;
    }
    for (std::size_t c = 0; c < scores.size(); ++c) scores[c] += terms[c];
  }
}

}  // namespace dtf
