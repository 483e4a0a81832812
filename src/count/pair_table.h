// Pairwise counts of one node: how many of its rows have code a and code b, for every two codes.
//
// The split search needs them all, and two laws save most of the counting: the table is symmetric, and a node's table
// is the sum of its children's. So only half a table is counted, and only the smaller of two children's; the larger
// one's is the parent's less that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ragged.h"
#include "count/aligned_buffer.h"
#include "count/node_counts.h"
#include "count/planes.h"

namespace dtf {

class NodeCounter;

// p × p counts, 4 B each. The p places are the codes that have a plane in the node the table was first made for: of
// each feature all that are present there but the last one. Descendants keep the places, so that tables can be
// subtracted; a place whose code the node lacks counts 0.
class PairTable {
 public:
  static constexpr std::uint32_t kNoPlace = ~std::uint32_t{0};

  // Bytes of a table whose places are this node's codes.
  static std::size_t BytesFor(const NodeCounter& node);

  // Counts the node's pairs, its codes being the places. O(p² · rows / 128), on `threads` threads; some 1 ms for 784
  // places and 5,000 rows. REQUIRES: every feature has planes.
  PairTable(const NodeCounter& node, int threads);

  // With the places of `relative`, of which the node is a descendant.
  PairTable(const NodeCounter& node, const PairTable& relative, int threads);

  // Subtracts a child's table, which leaves that of the node's other rows. O(p²), 12 B moved for each count.
  void Subtract(const PairTable& child, int threads);

  std::size_t bytes() const { return places() * stride_ * sizeof(Count); }
  std::size_t places() const { return codes_->values().size(); }
  // Places of feature j: [begin(j), end(j)).
  std::size_t begin(Feature j) const { return codes_->Begin(j); }
  std::size_t end(Feature j) const { return codes_->Begin(j) + (*codes_)[j].size(); }
  // Of a code; kNoPlace if it is the feature's last one.
  std::uint32_t PlaceOf(Feature j, Code code) const;
  // The counts of rows that have a place's code and, by place, each other code.
  const Count* Row(std::size_t place) const { return counts_.data() + place * stride_; }

 private:
  // Places [first, last), whole features: those from `feature` on and before `feature_end`.
  struct Block {
    Feature feature;
    Feature feature_end;
    std::size_t first;
    std::size_t last;
  };
  // One thread's.
  struct Scratch {
    PlanePanels panels;
    AlignedBuffer<std::uint64_t> made_planes;
    std::vector<Count> totals;
  };

  void CountPairs(const NodeCounter& node, int threads);
  std::vector<Block> Blocks(const NodeCounter& node) const;
  void CountBlock(const NodeCounter& node, const Block& block, std::span<const std::uint32_t> places, Scratch& scratch);
  void Pack(const NodeCounter& node, const Block& block, Scratch& scratch) const;
  void FillOtherRows(const NodeCounter& node, const Block& block, std::span<const Count> totals);
  void Mirror(const Block& block);
  Count* Row(std::size_t place) { return counts_.data() + place * stride_; }

  std::shared_ptr<const Ragged<Code>> codes_;  // by feature; in order of places
  std::size_t stride_ = 0;
  AlignedBuffer<Count> counts_;
};

}  // namespace dtf
