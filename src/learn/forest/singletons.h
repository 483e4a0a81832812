// Rows whose value no other row has: they say how often later ones will be new (ConditionalBase).
#pragma once

#include <vector>

#include "learn/column_kinds.h"
#include "learn/weighted_rows.h"

namespace dtf {

// Of each column the rows that alone have their value, by weight; none if there are none in any column. Of a bin many
// numbers may come, and missing is no value. rows: not merged.
std::vector<double> CountSingletons(const WeightedRows& rows, const ColumnKinds& kinds);

}  // namespace dtf
