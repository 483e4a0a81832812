// A TSP made ready to be applied. The permutations along a path compose to one permutation per feature and leaf (the
// paper's lemma on equivalent trees), so a row is routed once and each of its cells looked up once:
//   forward: route the raw row by the splits expressed in raw codes, then look its codes up in its leaf's tables;
//   inverse: route the permuted row by the tree's own left sets, without permuting, then look up in the inverse tables.
// The unseen slot (code k of a feature with k categories) goes right at every split and is never moved.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "perm/permutation.h"
#include "tree/code_block.h"
#include "tree/tsp.h"

namespace dtf {

// The maps of columns with more categories are kept sparse: as tables they would be far larger than what is in them.
inline constexpr Code kMostDenseCategories = 255;

class CompiledTsp {
 public:
  // `sizes`: number of categories of each column.
  CompiledTsp(const Tsp& tsp, const std::vector<Code>& sizes);

  // Forward replaces each row by its image; Inverse, each image by its row. REQUIRES: block.columns() == sizes.size(),
  // and each code of column j is in {0, …, sizes[j]}.
  void Forward(CodeBlock& block) const { Apply(block, forward_route_, &Table::forward, &SparseTable::Forward); }
  void Inverse(CodeBlock& block) const { Apply(block, inverse_route_, &Table::inverse, &SparseTable::Inverse); }

  // For each image the leaf of its row, as a node of the tree.
  std::vector<std::int32_t> LeavesOfImages(const CodeBlock& images) const;

  // The codes, ascending, that come into the tree and go left at `node`. REQUIRES: an inner node of the tree.
  std::vector<Code> RawLeftSet(std::int32_t node) const;

 private:
  class Compiler;

  // One node of the walk. Left iff the code is `value`, or, when the left set has several codes, is in set `set`. Both
  // children of a leaf are the leaf itself, so that rows can walk side by side for as many steps as the tree is deep.
  struct RouteNode {
    Feature feature = 0;
    Code value = 0;
    std::array<std::int32_t, 2> children = {};  // right, left
    std::int32_t set = -1;
    std::uint32_t leaf = 0;  // of a leaf: its number
  };
  struct Route {
    std::vector<RouteNode> nodes;
    std::vector<std::vector<bool>> sets;
    int depth = 0;
  };

  // Maps of a feature with k <= kMostDenseCategories categories, k + 1 entries each: leaf l has map number map_of[l].
  // Map 0 is the identity, shared by the leaves that move nothing.
  struct Table {
    Feature feature;
    Code stride;  // k + 1
    std::vector<std::uint32_t> map_of;
    std::vector<std::uint8_t> forward;
    std::vector<std::uint8_t> inverse;
  };

  // One permutation on the path to a leaf, with the set of codes it permutes.
  struct Step {
    CodeSet set;
    Permutation permutation;
  };
  using Chain = std::vector<std::shared_ptr<const Step>>;

  // A feature with many categories: each leaf's steps themselves, so that memory follows the codes that were seen.
  struct SparseTable {
    Feature feature;
    Code size;
    std::vector<Chain> leaves;

    Code Forward(std::uint32_t leaf, Code code) const;
    Code Inverse(std::uint32_t leaf, Code code) const;
  };

  // The node that each row ends in.
  static std::vector<std::int32_t> FindNodes(const CodeBlock& block, const Route& route);
  template <bool kHasSets>
  static void Walk(const CodeBlock& block, const Route& route, std::span<std::int32_t> node_of);
  void Apply(CodeBlock& block, const Route& route, std::vector<std::uint8_t> Table::*dense,
             Code (SparseTable::*sparse)(std::uint32_t, Code) const) const;

  Route forward_route_;
  Route inverse_route_;
  std::vector<Table> tables_;
  std::vector<SparseTable> sparse_tables_;
};

}  // namespace dtf
