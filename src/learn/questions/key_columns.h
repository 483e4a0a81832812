// Columns of many categories that tell other columns, as a merchant tells its trade and its country.
#pragma once

#include <span>
#include <vector>

#include "learn/weighted_rows.h"

namespace dtf {

// Of a key column: a column that it tells, and for each of the key's categories the commonest of that column's
// categories in its rows; of none one past the last.
struct ToldColumn {
  Feature column = 0;
  std::vector<Code> told;
};

// For each column those that it tells, of fewest categories first, 64 at most; none for all but nominal columns of many
// categories.
// A key that returns gives the same category of the column again, but for one in ten of the times that guessing the
// commonest one would fail, which is 20 times or more; and of the rows a quarter have a key that has been before. Time:
// rows for each pair of key and column; where these are too many no column is a key.
std::vector<std::vector<ToldColumn>> FindToldColumns(const WeightedRows& rows, std::span<const Code> sizes,
                                                     const std::vector<bool>& ordered);

}  // namespace dtf
