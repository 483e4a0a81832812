// Trees cut into pieces, in the order in which sums read them.
//
// A *piece* is a connected part of a tree whose sets of rows fit into the first-level cache. Its inner nodes split
// sets. Below them are its *ends*: single leaves, and subtrees of two to four leaves in at most two levels. An end that
// is a subtree has four *slots*, one for each outcome of its test and of the test after it; four single leaves share
// the slots of one end. So the leaf that a row reaches in a piece is a number of few bits, its slot, whatever the
// leaf's value is. Also below inner nodes are *exits*: the roots of other pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/logit_tree.h"

namespace dtf {

inline constexpr int kEndHeight = 2;
inline constexpr std::size_t kEndSlots = 4;
inline constexpr std::size_t kEndsAtATime = 4;
inline constexpr std::size_t kLeavesAtATime = kEndsAtATime * kEndSlots;
inline constexpr std::size_t kMostEnds = 128;  // of a piece, single leaves and exits included
// A piece's root has set 0, the children of its i-th inner node sets 2 i + 1 (pass) and 2 i + 2; the last one is empty.
inline constexpr std::size_t kPieceSets = 2 * kMostEnds;
inline constexpr std::size_t kEmptySet = kPieceSets - 1;
static_assert(kEmptySet <= 0xFF, "sets are numbered by bytes");
// Values are in tables of up to kTableSlots slots. A slot's number in its table takes the lower bits of a byte; the
// highest bit says that a row's slot is not in the table.
inline constexpr std::size_t kSlotBits = 7;
inline constexpr std::size_t kTableSlots = std::size_t{1} << kSlotBits;
inline constexpr std::size_t kMostTables = kMostEnds * kEndSlots / kTableSlots;
inline constexpr std::size_t kTermsAtATime = 6;  // a table of all their sums: as many bytes as the largest vectors have
inline constexpr std::size_t kTermSlots = std::size_t{1} << kTermsAtATime;
inline constexpr std::uint32_t kMostGroupSum = 0xFFFF;

struct TreePieces {
  struct Piece {
    std::uint8_t nodes = 0;   // inner ones
    std::uint8_t ends = 0;    // with tests; a multiple of kEndsAtATime
    std::uint8_t leaves = 0;  // single ones; a multiple of kLeavesAtATime
    std::uint8_t exits = 0;
    bool starts_tree = false;

    std::size_t slots() const { return kEndSlots * ends + leaves; }
    // Whether this is not a piece of a tree but a table of kTermsAtATime terms: the outcomes of their tests are the
    // slot.
    bool is_of_terms() const { return nodes + ends == 0; }
  };
  // Pieces whose values sum to at most kMostGroupSum, in units of 2^shift.
  struct Group {
    std::uint32_t pieces = 0;
    int shift = 0;
  };

  std::vector<Group> groups;
  // The pieces of each tree breadth first: its exits, in this order, are the roots of its pieces after the first one.
  std::vector<Piece> pieces;
  // Of each piece: its inner nodes' tests, parents first; then of each end its test, and that of its pass and its fail.
  std::vector<std::uint32_t> tests;
  std::vector<std::uint8_t> sets;  // of each piece: those of its inner nodes, ends, leaves and exits
  // Of each piece, ends first, by tables: the low bytes, then the high ones. Then kTableSlots bytes, which
  // look-ups may read.
  std::vector<std::uint8_t> values;
  std::uint32_t low = 0;        // to be added to each sum of values, modulo 2^32
  std::size_t most_pieces = 1;  // of a tree
};

}  // namespace dtf
