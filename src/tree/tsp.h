// A tree-structured permutation (TSP; paper section 3.1): at each node a row is first permuted by the node's
// independent permutation, then sent left iff its code of the split feature is in the node's left set; at a leaf it
// stops.
//
// Invertible because every node's permutation maps the node's domain onto itself: the leaves' ranges are then the
// leaves' domains, which are disjoint, and a permuted row finds its leaf by the same tests without permuting (paper,
// lemma on the recoverability of the tree path). Tsp::Make refuses whatever breaks that.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ragged.h"
#include "perm/domain.h"
#include "perm/permutation.h"

namespace dtf {

inline constexpr std::int32_t kNoChild = -1;
inline constexpr int kMaxTreeDepth = 255;

// Nodes as parallel arrays, node 0 the root, children after their parent.
struct TspNodes {
  std::vector<std::int32_t> left;   // kNoChild at a leaf
  std::vector<std::int32_t> right;  // kNoChild at a leaf
  std::vector<Feature> feature;     // split feature; 0 at a leaf
  Ragged<Code> left_set;            // ascending codes that go left, as they are after the node's permutation
  Ragged<Feature> moved;            // ascending features whose permutation at this node is not the identity
  Ragged<Code> top;                 // for each of `moved`, over all nodes: Permutation::top
};

class Tsp {
 public:
  // Checks `nodes` against the sizes of the columns and takes them.
  // Throws Error(kModelFile) naming the node and what is wrong with it.
  static Tsp Make(TspNodes nodes, const std::vector<Code>& sizes);

  const TspNodes& nodes() const { return nodes_; }
  std::int32_t size() const { return static_cast<std::int32_t>(nodes_.left.size()); }
  bool is_leaf(std::int32_t node) const { return nodes_.left[node] == kNoChild; }
  std::int32_t leaves() const { return (size() + 1) / 2; }

  // Features whose permutation at `node` is not the identity, and the i-th one's permutation.
  std::span<const Feature> moved(std::int32_t node) const { return nodes_.moved[node]; }
  Permutation permutation(std::int32_t node, std::size_t i) const {
    return Permutation(nodes_.top[nodes_.moved.Begin(node) + i]);
  }

  // As the paper's tables count: 2 for each node, and `largest_size` for each feature moved at a node. Besides, 1 for
  // each code but the first that goes left at a split.
  std::uint64_t ParameterCount(Code largest_size) const {
    const std::uint64_t further_codes = nodes_.left_set.values().size() - static_cast<std::size_t>(size() - leaves());
    return 2 * static_cast<std::uint64_t>(size()) + further_codes + largest_size * nodes_.moved.values().size();
  }

 private:
  explicit Tsp(TspNodes nodes) : nodes_(std::move(nodes)) {}

  TspNodes nodes_;
};

}  // namespace dtf
