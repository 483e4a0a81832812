#include "learn/tsp/greedy_criterion.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "count/aligned_terms.h"

namespace dtf {
namespace {

// Less work than this, in steps of some 0.05 ns, is faster on one thread.
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

// The first of the scores that count as the largest.
std::size_t FirstBest(std::span<const double> scores) {
  const double best = *std::max_element(scores.begin(), scores.end());
  const double tolerance = kTieTolerance * std::abs(best);
  return std::find_if(scores.begin(), scores.end(), [&](double score) { return score >= best - tolerance; }) -
         scores.begin();
}

// A smaller difference may be due to the order of summing.
bool IsAbove(double score, double other) { return score - kTieTolerance * std::abs(score) > other; }

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

std::optional<SetSplit> GreedyCriterion::BestSplit(const NodeTask& task) {
  const std::vector<Candidate> candidates = CandidatesOf(task);
  const Background background = MakeBackground(task);
  std::vector<double> scores = Scores(task, background, candidates);
  std::vector<ScoredSplit> sets;
  if (split_values_ > 1) {
    sets = GrowSets(task, background, candidates, scores);
    scores.clear();
    for (const ScoredSplit& set : sets) scores.push_back(set.score);
  }
  if (!IsAbove(*std::max_element(scores.begin(), scores.end()), LeastScore())) return std::nullopt;
  const std::size_t chosen = FirstBest(scores);
  if (split_values_ > 1) return std::move(sets[chosen].split);
  return SetSplit{candidates[chosen].feature, {candidates[chosen].value}};
}

GreedyCriterion::Background GreedyCriterion::MakeBackground(const NodeTask& task) const {
  Background background;
  std::vector<Count> counts;
  for (Feature j = 0; j < layout().features(); ++j) {
    counts.resize(task.counter.present(j).size());
    background.constant.push_back(Beside(task, j, counts));
    background.beside.Append(counts);
  }
  return background;
}

std::vector<double> GreedyCriterion::Scores(const NodeTask& task, const Background& background,
                                            std::span<const Candidate> candidates) {
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
      ScoreBlock(task, background, candidates.subspan(first, size), {}, scratch);
      std::copy_n(scratch.scores.begin(), size, scores.begin() + static_cast<std::ptrdiff_t>(first));
    }
  });
  return scores;
}

std::vector<GreedyCriterion::ScoredSplit> GreedyCriterion::GrowSets(const NodeTask& task, const Background& background,
                                                                    std::span<const Candidate> candidates,
                                                                    std::span<const double> scores) {
  std::vector<ScoredSplit> sets;
  for (std::size_t first = 0; first < candidates.size();) {
    const Feature feature = candidates[first].feature;
    std::size_t last = first;
    while (last < candidates.size() && candidates[last].feature == feature) ++last;
    const std::size_t best = first + FirstBest(scores.subspan(first, last - first));
    sets.push_back({{feature, {candidates[best].value}}, scores[best]});
    first = last;
  }
  const std::size_t work = candidates.size() * background.beside.values().size() * (8 + task.counter.rows() / 64);
  const std::size_t threads = work > kWorkWorthThreads ? static_cast<std::size_t>(ThreadCount(threads_)) : 1;
  if (scratch_.size() < threads) scratch_.resize(threads);
  std::atomic<std::size_t> next = 0;
  ParallelFor(static_cast<int>(threads), threads, [&](std::size_t thread) {
    for (std::size_t i = next++; i < sets.size(); i = next++) GrowSet(task, background, sets[i], scratch_[thread]);
  });
  return sets;
}

void GreedyCriterion::GrowSet(const NodeTask& task, const Background& background, ScoredSplit& best,
                              Scratch& scratch) const {
  std::vector<Code>& left = best.split.left;
  const auto present = task.counter.present(best.split.feature);
  std::vector<Candidate> candidates;
  std::vector<double> scores;
  while (left.size() < split_values_ && left.size() + 1 < present.size()) {
    candidates.clear();
    scores.clear();
    for (const Code code : present) {
      if (!std::binary_search(left.begin(), left.end(), code)) candidates.push_back({best.split.feature, code});
    }
    const std::size_t width = task.counter.MostCandidates();
    for (std::size_t first = 0; first < candidates.size(); first += width) {
      const std::size_t size = std::min(width, candidates.size() - first);
      ScoreBlock(task, background, std::span(candidates).subspan(first, size), left, scratch);
      scores.insert(scores.end(), scratch.scores.begin(), scratch.scores.begin() + static_cast<std::ptrdiff_t>(size));
    }
    const std::size_t chosen = FirstBest(scores);
    if (!IsAbove(scores[chosen], best.score)) return;
    best.score = scores[chosen];
    left.insert(std::lower_bound(left.begin(), left.end(), candidates[chosen].value), candidates[chosen].value);
  }
}

void GreedyCriterion::ScoreBlock(const NodeTask& task, const Background& background,
                                 std::span<const Candidate> candidates, Base base, Scratch& scratch) const {
  const auto features = static_cast<Feature>(layout().features());
  task.counter.Prepare(candidates, scratch.block);
  if (!base.empty()) {
    std::vector<Candidate> of_base;
    for (const Code code : base) of_base.push_back({candidates.front().feature, code});
    task.counter.Prepare(of_base, scratch.base_block);
  }
  scratch.scores.assign(scratch.block.width(), 0);
  auto own = candidates.begin();  // the block's candidates of feature j
  for (Feature first = 0; first < features;) {
    const Feature last = task.counter.RangeEnd(first, scratch.block.width());
    // Of a wide feature's own candidates nothing needs counting.
    const bool is_own = last == first + 1 && candidates.front().feature == first && candidates.back().feature == first;
    if (!is_own) {
      task.counter.Count(scratch.block, first, last, scratch.counts);
      if (!base.empty()) AddBaseCounts(task, candidates.size(), scratch);
    }
    for (Feature j = first; j < last; ++j) {
      const auto own_end = std::find_if(own, candidates.end(), [j](const Candidate& c) { return c.feature != j; });
      const auto scores = std::span(scratch.scores).subspan(own - candidates.begin(), own_end - own);
      scratch.own.assign(scores.begin(), scores.end());
      if (!is_own) {
        AddAlignedTerms(scratch.counts, j,
                        {task.counter.counts(j), background.beside[j], values_, background.constant[j]},
                        scratch.scores);
      }
      if (own != own_end) SetOwnTerms(task, j, base, std::span(own, own_end), scores, scratch);
      own = own_end;
    }
    first = last;
  }
}

// Adds the counts of the base's rows to each candidate's: rows that the base sends left have none of these codes.
void GreedyCriterion::AddBaseCounts(const NodeTask& task, std::size_t candidates, Scratch& scratch) {
  BlockCounts& counts = scratch.counts;
  task.counter.Count(scratch.base_block, counts.first(), counts.last(), scratch.base_counts);
  for (Feature j = counts.first(); j < counts.last(); ++j) {
    for (std::size_t i = 0; i < counts.present(j); ++i) {
      const Count* of_base = scratch.base_counts.Row(j, i);
      const Count sum = std::accumulate(of_base, of_base + scratch.base_block.size(), Count{0});
      Count* row = counts.Row(j, i);
      for (std::size_t c = 0; c < candidates; ++c) row[c] += sum;
    }
  }
}

// scores = scratch.own + the terms of the split feature itself.
void GreedyCriterion::SetOwnTerms(const NodeTask& task, Feature s, Base base, std::span<const Candidate> own,
                                  std::span<double> scores, Scratch& scratch) const {
  scratch.codes.clear();
  for (const Candidate& candidate : own) scratch.codes.push_back(candidate.value);
  SplitFeatureTerms(task, s, base, scratch.codes, scores);
  for (std::size_t c = 0; c < scores.size(); ++c) scores[c] += scratch.own[c];
}

}  // namespace dtf
