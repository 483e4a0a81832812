// Scores of a block of candidates on one feature, from the children's counts sorted and added rank by rank.
#pragma once

#include <span>

#include "count/counting_table.h"

namespace dtf {

// For each candidate c < block.width(): sorts feature j's left counts ascending and its right counts (node - left)
// ascending, adds them rank by rank, m_0(c) ≤ … ≤ m_{p-1}(c), and sets
//   terms[c] = values[beside[0] + m_0(c)] + … + values[beside[p-1] + m_{p-1}(c)], added in this order.
// node: the node's counts of the p present codes; beside: p counts; values: a table over all possible sums.
void AlignedTerms(const BlockCounts& block, Feature j, std::span<const Count> node, std::span<const Count> beside,
                  std::span<const double> values, std::span<double> terms);

}  // namespace dtf
