// Relations between columns that all members of a forest use: which columns tell others (key_columns.h), which have
// codes that rise or fall with another's (differences.h), and which are better asked in the order of their numbers
// (order_numbers.h).
#pragma once

#include <string>
#include <vector>

#include "learn/column_kinds.h"
#include "learn/forest/fit_member.h"
#include "learn/forest/forest_options.h"
#include "learn/weighted_rows.h"

namespace dtf {

// Whether RelateColumns looks for anything: not if the options exclude it, or no column has more than four categories.
bool MayBeRelated(const ColumnKinds& kinds, const ForestOptions& options);

// Finds relations in the rows of `train`, and makes the questions of each column accordingly; counts of categories are
// those of `all` rows. Both are distinct and sorted. Takes some seconds for large tables.
ColumnQuestions RelateColumns(const WeightedRows& all, const WeightedRows& train, const ColumnKinds& kinds,
                              const ForestOptions& options);

// What was found, a line each, for FitResult::choices.
std::vector<std::string> DescribeRelations(const ColumnKinds& kinds, const ColumnQuestions& columns);

}  // namespace dtf
