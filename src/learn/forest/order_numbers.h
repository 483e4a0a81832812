// Whether columns of numbers that are not declared ordered, as those of a CSV file, are better taken as ordered: they
// may be ages, or codes of a trade.
#pragma once

#include <cstdint>
#include <vector>

#include "learn/column_kinds.h"
#include "learn/questions/differences.h"
#include "learn/questions/key_columns.h"
#include "learn/weighted_rows.h"

namespace dtf {

// What was found about each column.
struct FoundRelations {
  std::vector<std::vector<ToldColumn>> told;         // FindToldColumns: the columns that it tells
  std::vector<std::vector<Difference>> differences;  // FindDifferences: from other columns
};

// kinds.ordered, and in addition those nominal columns of 5 to 1,000 numbers whose validation rows are clearly more
// likely when the column is asked by balanced questions ("is it below?") than by Huffman's. Key columns are left out,
// unless they have differences. Both ways are tried with quickly boosted trees, in the table's order and in its
// reverse, on as many rows as take some seconds; none is tried in tables of too many columns and numbers. rows:
// distinct, sorted.
std::vector<bool> OrderNumbers(const WeightedRows& rows, const ColumnKinds& kinds, const FoundRelations& found,
                               std::uint64_t seed, int threads);

}  // namespace dtf
