// The trees and terms of a yes/no question, packed to be summed over blocks of rows.
//
// A set of up to 512 rows (fewer without AVX-512) is one vector of bits. Trees are cut into pieces (tree_pieces.h), and
// a piece is summed in four loops of known length without other branches:
// 1. From the set of rows that reach its root come the sets of those that reach its inner nodes and ends: an AND and a
//    store each.
// 2. Each row's slot, bit by bit for all rows at once, from unions of the ends' sets and from the outcomes of the ends'
//    tests, which need no sets of their own. The time does not depend on the leaf values; a union for each bit of each
//    value would take twice as long as the splitting.
// 3. Slots as bytes (sum_values-inl.h), and the values of these slots: AVX-512 looks up a table of up to 128 bytes by
// one
//    instruction, other targets sixteen bytes at a time.
// 4. Sums of 16 bits, which are added to the logits before they could overflow.
// A piece that no row reaches is skipped. No branch depends on what rows answer: mispredicted branches would take most
// of the time. A tree whose leaves differ by more than a nat is summed twice, for its high and its low bits.
//
// Sums are whole numbers modulo 2^32: neither the vector instructions nor the order matter.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "count/aligned_buffer.h"
#include "count/planes.h"
#include "count/sum_pieces.h"
#include "count/tree_pieces.h"
#include "tree/logit_tree.h"

namespace dtf {

constexpr std::size_t PackedPlaneWords(std::size_t rows) {
  return (PlaneWords(rows) + kPackedWords - 1) / kPackedWords * kPackedWords;
}

class PackedTrees {
 public:
  // Memory of one thread, for any number of sums.
  struct Scratch {
    AlignedBuffer<std::uint64_t> roots;
    AlignedBuffer<std::uint64_t> planes;
    std::vector<std::uint64_t> mask;
    std::vector<Logit> logits;
  };

  // REQUIRES: trees whose children come after their parents; the sizes of terms and trees, and of any bias that is
  // added to them, sum to at most 2^30.
  PackedTrees(std::span<const LogitTerm> terms, std::span<const LogitTree> trees);

  // logits[i] = `bias` + the sum for each row i of `mask`; the logits of other rows are garbage. tests, mask: planes of
  // tests.words words, a multiple of kPackedWords; logits: 64 for each word. If the rows are few, their bits are first
  // moved together.
  void Sum(Logit bias, PlaneMatrix tests, std::span<const std::uint64_t> mask, Scratch& scratch,
           std::span<Logit> logits) const;

 private:
  struct Run {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
  };

  void FindRuns();
  void SumWhereTheyAre(Logit bias, PlaneMatrix tests, std::span<const std::uint64_t> mask, Scratch& scratch,
                       Logit* logits) const;
  void SumCompressed(Logit bias, PlaneMatrix tests, std::span<const std::uint64_t> mask, std::size_t rows,
                     Scratch& scratch, std::span<Logit> logits) const;

  TreePieces pieces_;
  // The tests that are used, ascending; empty when they are so sparse that finding them would take long.
  std::vector<Run> runs_;
  std::size_t used_tests_ = 0;
};

}  // namespace dtf
