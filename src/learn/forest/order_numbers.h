// Columns of numbers that nobody has called ordered, as those of a CSV file: numbers may be ages or codes of a trade.
#pragma once

#include <cstdint>
#include <vector>

#include "learn/column_kinds.h"
#include "learn/weighted_rows.h"

namespace dtf {

// `kinds.ordered`, and those nominal columns of numbers of which rows that judge are more likely if they are asked "is
// it below?" than by Huffman's questions. Both are tried quickly, on a sample of the rows, in the table's order and in
// its reverse. rows: distinct and sorted.
std::vector<bool> OrderNumbers(const WeightedRows& rows, const ColumnKinds& kinds, std::uint64_t seed, int threads);

}  // namespace dtf
