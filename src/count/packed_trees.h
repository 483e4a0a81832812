// The trees and terms of a yes/no question, packed to be summed over blocks of rows.
//
// For 512 rows at a time (fewer without AVX-512) a set of rows is one vector of bits. A tree splits the set of all rows
// into those that reach its leaves; bit b of a tree's values is then the union of the sets of the leaves whose value
// has bit b, and sums are added bit by bit, for all rows at once. Only the sum over all trees is turned into numbers.
// That takes a fraction of the instructions that adding each leaf's value to its rows would.
//
// Sums are whole numbers modulo 2^32: neither the vector instructions nor the order matter.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "count/planes.h"
#include "tree/logit_tree.h"

namespace dtf {

// Planes must be whole vectors of the largest kind.
inline constexpr std::size_t kPackedWords = 8;
constexpr std::size_t PackedPlaneWords(std::size_t rows) {
  return (PlaneWords(rows) + kPackedWords - 1) / kPackedWords * kPackedWords;
}

class PackedTrees {
 public:
  // Each tree's lowest leaf is added to `bias` and taken from its leaves, so that these are not negative. REQUIRES:
  // trees whose children come after their parents; the sizes of bias, terms and trees sum to at most 2^30.
  PackedTrees(Logit bias, std::span<const LogitTerm> terms, std::span<const LogitTree> trees);

  // logits[i] = the sum for row i of `mask`; of other rows the logits are garbage. tests, mask: tests.words a plane, a
  // multiple of kPackedWords; logits: 64 for each of them.
  void Sum(PlaneMatrix tests, const std::uint64_t* mask, std::span<Logit> logits) const;

  // What Sum reads, from front to back.
  struct View {
    const std::uint32_t* code = nullptr;
    const std::uint32_t* end = nullptr;
    Logit bias = 0;
    int bits = 0;  // of the sum without the bias
  };

 private:
  class Packer;

  // One tree after the other: the number of bits of its values, then its nodes and leaves, parents first. A node is
  // 2 · test (+ 1: the rows that fail come first), a leaf is kLeaf and its value. Of a node's subtrees the smaller one
  // comes first, so that few sets of rows wait at a time. kSkip and the length of a large subtree stand before it.
  std::vector<std::uint32_t> code_;
  std::uint32_t bias_;
  int bits_ = 0;
};

}  // namespace dtf
