// Columns of numbers that nobody has called ordered, as those of a CSV file: numbers may be ages or codes of a trade.
#pragma once

#include <cstdint>
#include <vector>

#include "learn/column_kinds.h"
#include "learn/questions/differences.h"
#include "learn/questions/key_columns.h"
#include "learn/weighted_rows.h"

namespace dtf {

// What was found of each column.
struct FoundRelations {
  std::vector<std::vector<ToldColumn>> told;         // by keys
  std::vector<std::vector<Difference>> differences;  // from others
};

// `kinds.ordered`, and those nominal columns of 5 to 1,000 numbers of which rows that judge are clearly more likely if
// they are asked "is it below?" than by Huffman's questions; no keys, but those that follow another column. Both are
// tried by quickly boosted trees, on as many rows as some seconds allow, in the table's order and in its reverse; in
// tables of too many columns and numbers nothing is. rows: distinct and sorted.
std::vector<bool> OrderNumbers(const WeightedRows& rows, const ColumnKinds& kinds, const FoundRelations& found,
                               std::uint64_t seed, int threads);

}  // namespace dtf
