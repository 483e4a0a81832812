// Equal rows made one.
#pragma once

#include "learn/weighted_rows.h"

namespace dtf {

// The distinct rows, sorted by their codes, each with the weight of all its copies: so what is learnt from them cannot
// depend on the order of the rows given. Time: rows · log rows comparisons.
WeightedRows MergeEqualRows(const WeightedRows& rows);

}  // namespace dtf
