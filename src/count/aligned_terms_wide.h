// AddAlignedTerms for features of many codes; of this folder only.
#pragma once

#include <span>

#include "count/aligned_terms.h"

namespace dtf {

// Most left counts of a rare candidate are 0, so its right counts are the node's but for a few: it merges the node's
// sorted counts with these few, rather than sort all.
void AddWideAlignedTerms(const BlockCounts& counts, Feature j, const AlignedFeature& feature, std::span<double> scores);

}  // namespace dtf
