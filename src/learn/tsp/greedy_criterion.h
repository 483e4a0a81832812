// Greedy local permutation (GLP; paper section 3.1): takes the candidate split under which an independent distribution
// fits best once each child's codes have been sorted by count.
//
// For a candidate (s, v) and a feature j ≠ s, the children's counts are sorted and added rank by rank to m_r. With b_r
// the counts of rows outside the node, feature j adds Σ_r value(b_r + m_r) to the score. The GLP criteria differ in the
// value, in b, and in the split feature's own summand: a subclass says only these.
//
// If several codes may go left, further codes join each feature's best single code, one at a time: the one that raises
// the score most, as long as one does. Then the best feature's set is taken. (In the paper one code goes left.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "learn/tsp/criterion.h"

namespace dtf {

// Scores within this of the best one, relative to it, count as equal: real differences are larger, those due to the
// order of summing are not.
inline constexpr double kTieTolerance = 1e-11;

class GreedyCriterion : public Criterion {
 public:
  GreedyCriterion(int threads, std::uint64_t split_values) : threads_(threads), split_values_(split_values) {}

  void StartLayer(const CodeLayout& layout, const NodeCounts& all) override;
  std::optional<SetSplit> BestSplit(const NodeTask& task) override;
  bool CountsPairs() const override { return true; }

 protected:
  // The value of a count. Tabulated for 0 … all rows.
  virtual double Value(Count count) const = 0;

  // Fills in b for the node's p present codes of feature j, by rank, least first. Returns the part of feature j's score
  // that is the same for all candidates.
  virtual double Beside(const NodeTask& task, Feature j, std::span<Count> beside) const = 0;

  // The split feature's own part of the score, for each of the candidate `codes`, when it goes left together with the
  // codes of `base`.
  virtual void SplitFeatureTerms(const NodeTask& task, Feature s, std::span<const Code> base,
                                 std::span<const Code> codes, std::span<double> terms) const = 0;

  // A candidate whose score is not above this is refused.
  virtual double LeastScore() const { return -std::numeric_limits<double>::infinity(); }

  const CodeLayout& layout() const { return *layout_; }
  double ValueAt(Count count) const { return values_[count]; }

 private:
  struct Background;
  // One thread's, kept from node to node.
  struct Scratch {
    CandidateBlock block;
    BlockCounts counts;
    CandidateBlock base_block;
    BlockCounts base_counts;
    std::vector<double> scores;
    std::vector<double> own;
    std::vector<Code> codes;
  };
  struct ScoredSplit {
    SetSplit split;
    double score = 0;
  };
  // Codes that go left together with each candidate of a block; they are of the one feature that all candidates have.
  using Base = std::span<const Code>;

  Background MakeBackground(const NodeTask& task) const;
  std::vector<double> Scores(const NodeTask& task, const Background& background, std::span<const Candidate> candidates);
  std::vector<ScoredSplit> GrowSets(const NodeTask& task, const Background& background,
                                    std::span<const Candidate> candidates, std::span<const double> scores);
  void GrowSet(const NodeTask& task, const Background& background, ScoredSplit& best, Scratch& scratch) const;
  void ScoreBlock(const NodeTask& task, const Background& background, std::span<const Candidate> candidates, Base base,
                  Scratch& scratch) const;
  static void AddBaseCounts(const NodeTask& task, std::size_t candidates, Scratch& scratch);
  void SetOwnTerms(const NodeTask& task, Feature s, Base base, std::span<const Candidate> own, std::span<double> scores,
                   Scratch& scratch) const;

  int threads_;
  std::uint64_t split_values_;
  const CodeLayout* layout_ = nullptr;
  std::vector<double> values_;
  std::vector<Scratch> scratch_;
};

}  // namespace dtf
