// One layer's rows, laid out for counting.
//
// Split search is a counting problem: the left child's counts of feature j under the candidate "s = v goes left" are row
// v of the contingency table s × j, the right child's are the node's less the left's. So counting, for a block of
// candidates, how often each code stands beside the candidate's value serves every candidate and criterion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "count/node_counts.h"
#include "table/code_table.h"

namespace dtf {

// "Feature `feature` has the code `value`" sends a row left.
struct Candidate {
  Feature feature = 0;
  Code value = 0;

  friend bool operator==(const Candidate&, const Candidate&) = default;
};

// Left counts of a block of candidates. For feature j and the i-th code present in the node, Row(j, i)[c] counts the
// node's rows that candidate c sends left and that have this code. Rows of a candidate's own feature are unspecified.
class BlockCounts {
 public:
  // Lanes a row is padded to, so that vector code may run over its end.
  static constexpr std::size_t kLanes = 16;

  // present: number of present codes of each feature.
  BlockCounts(std::span<const std::size_t> present, std::size_t candidates)
      : width_((candidates + kLanes - 1) / kLanes * kLanes), begin_(present.size() + 1, 0) {
    for (std::size_t j = 0; j < present.size(); ++j) begin_[j + 1] = begin_[j] + present[j];
    counts_.resize(begin_.back() * width_);
  }

  std::size_t width() const { return width_; }
  std::size_t present(Feature j) const { return begin_[j + 1] - begin_[j]; }
  Count* Row(Feature j, std::size_t i) { return counts_.data() + (begin_[j] + i) * width_; }
  const Count* Row(Feature j, std::size_t i) const { return counts_.data() + (begin_[j] + i) * width_; }

 private:
  std::size_t width_;
  std::vector<std::size_t> begin_;
  std::vector<Count> counts_;
};

class CountingTable {
 public:
  // `table`: n × d codes, all of them categories. `weights`: n, or empty when every row counts once.
  // Keeps references to all three.
  CountingTable(const CodeTable& table, const CodeLayout& layout, std::span<const Count> weights)
      : table_(table), layout_(layout), weights_(weights) {}

  const CodeLayout& layout() const { return layout_; }

  // Counts of the given rows. O(rows · d).
  NodeCounts CountRows(std::span<const std::uint32_t> rows) const;

 private:
  friend class NodeCounter;

  const CodeTable& table_;
  const CodeLayout& layout_;
  std::span<const Count> weights_;
};

// Counts for the candidates of one node. May be used by several threads at a time.
class NodeCounter {
 public:
  // Keeps references. `counts`: those of `rows`.
  NodeCounter(const CountingTable& table, std::span<const std::uint32_t> rows, const NodeCounts& counts);

  // The codes of feature j that occur in the node, ascending.
  std::span<const Code> present(Feature j) const { return present_[j]; }

  // Left counts of `candidates`, whose features ascend.
  BlockCounts Count(std::span<const Candidate> candidates) const;

 private:
  const CountingTable& table_;
  std::span<const std::uint32_t> rows_;
  Ragged<Code> present_;
  std::vector<std::size_t> present_sizes_;
  std::vector<std::uint32_t> position_;  // by CodeLayout: position of a present code among its feature's
};

}  // namespace dtf
