// Key columns: nominal columns of many categories that tell other columns, as a merchant tells its trade and country.
#pragma once

#include <span>
#include <vector>

#include "learn/weighted_rows.h"

namespace dtf {

// A column that a key column tells.
struct ToldColumn {
  Feature column = 0;
  std::vector<Code> told;  // for each category of the key: the column's commonest category in its rows, or the column's
                           // size if it has no rows
};

// For each key column the columns that it tells, those of fewest categories first, 64 at most; for all others nothing.
//
// Repeated rows are those that are not their key category's first; in a key column, they are a quarter of all rows or
// more. A key tells a column if, in the repeated rows, taking the commonest category of the same key is wrong at most a
// tenth as often as taking the column's commonest category, which must be wrong 20 times or more. Time: rows for each
// pair of key and column; where these are too many there are no keys. ordered: by column; ordered ones are no keys.
std::vector<std::vector<ToldColumn>> FindToldColumns(const WeightedRows& rows, std::span<const Code> sizes,
                                                     const std::vector<bool>& ordered);

}  // namespace dtf
