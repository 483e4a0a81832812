// LearnPermutations and ConstructEquivalentTree (paper section 3.2): the node permutations of a grown tree, of all TSPs
// with an equivalent structure those of the least training negative log-likelihood.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "learn/tsp/grow.h"

namespace dtf {

// π̃ of each node, as pass 1 leaves it: in raw codes of the node's domain, features that stay in order left out.
struct NodePermutations {
  std::vector<Feature> features;  // ascending
  std::vector<Permutation> permutations;
};

struct PassOneResult {
  std::vector<NodePermutations> nodes;
  // How often each feature's codes occur once the rows have been permuted; by CodeLayout.
  std::vector<std::uint64_t> counts;
};

// How often each feature's codes occur in a leaf; by CodeLayout, in any unit.
using LeafCounts = std::function<std::vector<std::uint64_t>(std::int32_t leaf)>;

// Pass 1, bottom-up. A leaf's permutation sorts each feature's counts on the leaf's domain, least first, ties in code
// order. An inner node adds its children's permuted counts and sorts again, which moves only its split feature.
PassOneResult LearnPermutations(const GrownTree& tree, const LeafCounts& leaf_counts, const std::vector<Code>& sizes);

// Pass 2, top-down. π_N = π_anc ∘ π̃ ∘ π_anc⁻¹ and v_new = π_anc(π̃(v)), where π_anc are the permutations of N's
// ancestors: rows arrive permuted by them. (The paper prints π̃ ∘ π_anc(v), a slip.)
TspNodes ConstructEquivalentTree(const GrownTree& tree, const std::vector<NodePermutations>& pass1);

}  // namespace dtf
