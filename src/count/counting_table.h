// One layer's rows, laid out for counting.
//
// Split search is a counting problem: the left child's counts of feature j under the candidate "s = v goes left" are
// row v of the contingency table s × j, and the right child's are the node's less the left's. So one kernel serves all
// candidates and criteria: for a block of candidates, it counts how often each code occurs together with the
// candidate's value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "count/block_counts.h"
#include "count/candidate_block.h"
#include "count/node_counts.h"
#include "count/node_planes.h"
#include "count/pair_table.h"
#include "table/code_table.h"

namespace dtf {

class CountingTable {
 public:
  // `table`: n × d codes, all of them categories. `weights`: n, or empty when every row counts once.
  // Keeps references to all three.
  CountingTable(const CodeTable& table, const CodeLayout& layout, std::span<const Count> weights);

  const CodeLayout& layout() const { return layout_; }

  // Counts of the given rows. O(rows · d).
  NodeCounts CountRows(std::span<const std::uint32_t> rows) const;

 private:
  friend class NodeCounter;

  const CodeTable& table_;
  const CodeLayout& layout_;
  std::span<const Count> weights_;
  std::size_t weight_bits_ = 0;
};

// Which of a node's rows a split sends left, and which right: bit i is the node's i-th row.
struct RowSplit {
  std::vector<std::uint64_t> left;
  std::vector<std::uint64_t> right;
};

// Counts for the candidates of one node. May be used by several threads at a time, each with its own scratch. Holds the
// node's planes (NodePlanes), so keep it only while the node is open.
class NodeCounter {
 public:
  // Keeps references to the table and the rows. `counts`: those of `rows`.
  NodeCounter(const CountingTable& table, std::span<const std::uint32_t> rows, const NodeCounts& counts);

  // The counter of a child, made some ten times faster from its parent's. `side`: one side of the parent's Split();
  // `rows`: the rows of that side, in the parent's order. The parent's own list of rows may have been reordered
  // meanwhile, and the parent need not outlive its children.
  NodeCounter(const NodeCounter& parent, std::span<const std::uint64_t> side, std::span<const std::uint32_t> rows,
              const NodeCounts& counts);

  // The codes of feature j that occur in the node, ascending.
  std::span<const Code> present(Feature j) const { return present_[j]; }
  // How often each of them does.
  std::span<const dtf::Count> counts(Feature j) const {
    return std::span(counts_).subspan(present_.Begin(j), present_[j].size());
  }

  std::size_t rows() const { return rows_.size(); }
  std::size_t features() const { return present_.size(); }
  const NodePlanes& planes() const { return planes_; }
  bool all_have_planes() const { return all_have_planes_; }

  // From now on Count() reads from the node's table instead of counting. Keeps the pointer; null: it counts again.
  // Blocks prepared before are no longer valid.
  void UsePairs(const PairTable* pairs) { pairs_ = pairs; }

  // How many candidates to give to one block so that its scratch stays small, and no more than 512.
  std::size_t MostCandidates() const;

  // Makes `block` ready for `candidates`, whose features ascend and whose values are present.
  void Prepare(std::span<const Candidate> candidates, CandidateBlock& block) const;

  // Left counts of the block's candidates for features [first, last). Features with few present codes are counted by
  // bit planes, those with many row by row: the counts are the same.
  void Count(CandidateBlock& block, Feature first, Feature last, BlockCounts& counts) const;

  // As many features from `first` on (at least one) as give counts that stay in a core's cache; the end of the range.
  Feature RangeEnd(Feature first, std::size_t width) const;

  // Left counts of `candidates` for all features; allocates its scratch.
  BlockCounts Count(std::span<const Candidate> candidates) const;

  // The two sides of a split, and the counts of a side. Call both before the node's rows are reordered.
  RowSplit Split(const SetSplit& split) const;
  NodeCounts CountSide(std::span<const std::uint64_t> side) const;

 private:
  using Group = CandidateBlock::Group;
  using Run = CandidateBlock::Run;

  NodePlanes::Source SetPresent(const NodeCounts& counts);
  void SetPositions();
  std::size_t PlaneLimit(std::size_t candidates) const;
  std::size_t PositionOf(Feature j, Code code) const;
  bool CountsByPlanes(const Group& group, Feature j) const { return planes_.Has(j) && StoredPlanes(j) <= group.limit; }
  std::size_t StoredPlanes(Feature j) const { return planes_.Of(j).planes; }

  void FindGroups(CandidateBlock& block) const;
  void FindRuns(CandidateBlock& block) const;
  void Pack(CandidateBlock& block, Run& run) const;
  void ListRows(CandidateBlock& block, Group& group) const;
  void FindPlaces(CandidateBlock& block) const;

  void CountRun(CandidateBlock& block, const Run& run, BlockCounts& counts) const;
  void CountByPlanes(const CandidateBlock& block, const Run& run, Feature first, Feature last,
                     BlockCounts& counts) const;
  void CountByRows(CandidateBlock& block, Group& group, Feature j, BlockCounts& counts) const;
  void ReadPairs(const CandidateBlock& block, Feature j, BlockCounts& counts) const;
  void SubtractForLastCode(const CandidateBlock& block, Feature j, BlockCounts& counts) const;

  const CountingTable& table_;
  std::span<const std::uint32_t> rows_;
  Ragged<Code> present_;
  std::vector<dtf::Count> counts_;  // of the present codes
  std::size_t most_present_ = 0;    // codes of a feature
  std::size_t most_planes_ = 0;     // of a feature that has planes
  bool all_have_planes_ = true;
  std::vector<std::uint32_t> position_;  // by CodeLayout: of a present code among its feature's; empty: never needed
  NodePlanes planes_;
  const PairTable* pairs_ = nullptr;
};

}  // namespace dtf
