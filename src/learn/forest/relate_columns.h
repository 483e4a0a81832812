// What columns have to do with each other that all members of a forest build on: which tell others, follow others, or
// are better asked in the order of their numbers.
#pragma once

#include <string>
#include <vector>

#include "learn/column_kinds.h"
#include "learn/forest/fit_member.h"
#include "learn/forest/forest_options.h"
#include "learn/weighted_rows.h"

namespace dtf {

// Whether there is anything to be looked for: not between columns of four categories at most.
bool MayBeRelated(const ColumnKinds& kinds, const ForestOptions& options);

// The questions of each column, chosen by `all` rows, as what is found in the rows of `train` demands. Both are
// distinct and sorted. Some seconds for large tables.
ColumnQuestions RelateColumns(const WeightedRows& all, const WeightedRows& train, const ColumnKinds& kinds,
                              const ForestOptions& options);

// What was found: a line each.
std::vector<std::string> DescribeRelations(const ColumnKinds& kinds, const ColumnQuestions& columns);

}  // namespace dtf
