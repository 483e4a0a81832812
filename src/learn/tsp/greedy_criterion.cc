#include "learn/tsp/greedy_criterion.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/parallel.h"
#include "count/aligned_terms.h"

namespace dtf {
namespace {

// Less work than this, in steps of some 0.05 ns, is done faster by one thread than shared out.
constexpr std::size_t kWorkWorthThreads = std::size_t{1} << 21;

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
  const auto chosen =
      std::find_if(scores.begin(), scores.end(), [&](double score) { return score >= best - tolerance; });
  return candidates[chosen - scores.begin()];
}

std::vector<double> GreedyCriterion::Scores(const NodeTask& task, std::span<const Candidate> candidates) {
  Background background;
  std::vector<Count> counts;
  for (Feature j = 0; j < layout().features(); ++j) {
    counts.resize(task.counter.present(j).size());
    background.constant.push_back(Beside(task, j, counts));
    background.beside.Append(counts);
  }

  const std::size_t work = candidates.size() * background.beside.values().size() * (8 + task.counter.rows() / 64);
  const std::size_t threads = work > kWorkWorthThreads ? static_cast<std::size_t>(ThreadCount(threads_)) : 1;
  const std::size_t parts = threads == 1 ? 1 : 2 * threads;
  const std::size_t width =
      std::min(task.counter.MostCandidates(), BlockCounts::WidthOf((candidates.size() - 1) / parts + 1));
  if (scratch_.size() < threads) scratch_.resize(threads);
  std::vector<double> scores(candidates.size());
  std::atomic<std::size_t> next = 0;
  ParallelFor(static_cast<int>(threads), threads, [&](std::size_t thread) {
    Scratch& scratch = scratch_[thread];
    for (std::size_t first = next.fetch_add(width); first < candidates.size(); first = next.fetch_add(width)) {
      const std::size_t size = std::min(width, candidates.size() - first);
      ScoreBlock(task, background, candidates.subspan(first, size), scratch);
      std::copy_n(scratch.scores.begin(), size, scores.begin() + static_cast<std::ptrdiff_t>(first));
    }
  });
  return scores;
}

void GreedyCriterion::ScoreBlock(const NodeTask& task, const Background& background,
                                 std::span<const Candidate> candidates, Scratch& scratch) const {
  const auto features = static_cast<Feature>(layout().features());
  task.counter.Prepare(candidates, scratch.block);
  scratch.scores.assign(scratch.block.width(), 0);
  auto own = candidates.begin();  // the block's candidates of feature j
  for (Feature first = 0; first < features;) {
    const Feature last = task.counter.RangeEnd(first, scratch.block.width());
    // Of a wide feature's own candidates nothing needs counting.
    const bool is_own = last == first + 1 && candidates.front().feature == first && candidates.back().feature == first;
    if (!is_own) task.counter.Count(scratch.block, first, last, scratch.counts);
    for (Feature j = first; j < last; ++j) {
      const auto own_end = std::find_if(own, candidates.end(), [j](const Candidate& c) { return c.feature != j; });
      const auto scores = std::span(scratch.scores).subspan(own - candidates.begin(), own_end - own);
      scratch.own.assign(scores.begin(), scores.end());
      if (!is_own) {
        AddAlignedTerms(scratch.counts, j,
                        {task.counter.counts(j), background.beside[j], values_, background.constant[j]},
                        scratch.scores);
      }
      if (own != own_end) SetOwnTerms(task, j, std::span(own, own_end), scores, scratch);
      own = own_end;
    }
    first = last;
  }
}

// scores = scratch.own + the terms of the split feature itself.
void GreedyCriterion::SetOwnTerms(const NodeTask& task, Feature s, std::span<const Candidate> own,
                                  std::span<double> scores, Scratch& scratch) const {
  scratch.codes.clear();
  for (const Candidate& candidate : own) scratch.codes.push_back(candidate.value);
  SplitFeatureTerms(task, s, scratch.codes, scores);
  for (std::size_t c = 0; c < scores.size(); ++c) scores[c] += scratch.own[c];
}

}  // namespace dtf
