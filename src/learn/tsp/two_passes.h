// LearnPermutations and ConstructEquivalentTree (paper section 3.2): the node permutations of a grown tree, of all TSPs
// with an equivalent structure those of the least training negative log-likelihood.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/tsp/grow.h"
#include "table/code_table.h"

namespace dtf {

// π̃ of each node, as pass 1 leaves it: in raw codes of the node's domain, features that stay in order left out.
struct NodePermutations {
  std::vector<Feature> features;  // ascending
  std::vector<Permutation> permutations;
};

// Pass 1, bottom-up. A leaf's permutation sorts each feature's counts on the leaf's domain, least first, ties in code
// order. An inner node adds its children's permuted counts and sorts again, which moves only its split feature.
// `weights`: of the rows of `codes`, in any unit; empty when every row counts once.
std::vector<NodePermutations> LearnPermutations(const GrownTree& tree, const CodeTable& codes,
                                                std::span<const std::uint64_t> weights, const std::vector<Code>& sizes);

// Pass 2, top-down. π_N = π_anc ∘ π̃ ∘ π_anc⁻¹ and v_new = π_anc(π̃(v)), where π_anc are the permutations of N's
// ancestors: rows arrive permuted by them. (The paper prints π̃ ∘ π_anc(v), a slip.)
TspNodes ConstructEquivalentTree(const GrownTree& tree, const std::vector<NodePermutations>& pass1);

}  // namespace dtf
