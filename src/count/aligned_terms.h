// Scores of a block of candidates on one feature, from the children's counts sorted and added rank by rank.
#pragma once

#include <span>

#include "count/block_counts.h"

namespace dtf {

// What a feature's terms need besides the left counts. p: number of its codes that are present in the node.
struct AlignedFeature {
  std::span<const Count> node;     // p: the node's counts of the present codes, none 0
  std::span<const Count> beside;   // p: counts of rows outside the node, by rank, least first
  std::span<const double> values;  // of every possible sum of counts
  double constant = 0;
};

// For each candidate c < counts.width(): sorts feature j's left counts ascending and its right counts (node − left)
// ascending, adds them rank by rank, m_0(c) ≤ … ≤ m_{p-1}(c), and adds to scores[c]
//   ((0 + values[beside[0] + m_0(c)]) + … + values[beside[p-1] + m_{p-1}(c)]) + constant, summed in this order.
// So the bits of the scores are the same on all processors.
//
// Cost a candidate: two codes 0.2 to 0.7 ns; up to 128 some p (ln p)² / 4 ns at most; more: O(p + z ln z) with z
// non-zero left counts, and a few vectors of size p allocated a call. REQUIRES: every left count is at most the node's;
// scores has counts.width() places.
void AddAlignedTerms(const BlockCounts& counts, Feature j, const AlignedFeature& feature, std::span<double> scores);

}  // namespace dtf
