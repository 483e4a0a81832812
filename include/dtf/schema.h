// What a model knows of its table: columns, their types and categories, and which values it has a place for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dtf/table.h"

namespace dtf {

// A numeric column cut into bins. Bin b holds the values x with cuts[b - 1] <= x < cuts[b]; the first and the last are
// open to their sides.
struct Bins {
  std::vector<double> cuts;  // ascending; one fewer than there are bins
  std::vector<double> low;   // of each bin the least value seen; sampling draws between it and `high`
  std::vector<double> high;  // of each bin the greatest value seen
  int decimals = 0;          // digits after the point that sampled values are rounded to: the most seen
};

struct ColumnSchema {
  std::string name;
  std::string type;  // ColumnHeader::type of the fitted table
  // The known values in code order: by value when all are canonical decimals, else by bytes. Of a binned column: each
  // bin's representative, a value seen in it.
  std::vector<std::string> categories;
  bool has_missing = false;  // missing is a category too, after the others
  bool ordered = false;      // a number, a date, binned, or declared so
  std::optional<Bins> bins;
  // Texts that mean missing here, besides the empty cell (FitInputs::missing); ascending by bytes, none is a category.
  std::vector<std::string> missing_texts = {};

  bool MeansMissing(std::string_view text) const {
    return std::binary_search(missing_texts.begin(), missing_texts.end(), text);
  }

  // Number of codes, missing included. The unseen slot is the code after them.
  Code size() const { return static_cast<Code>(categories.size()) + (has_missing ? 1 : 0); }
};

struct Schema {
  std::vector<ColumnSchema> columns;
  bool closed = false;  // no slot for values never seen: they are an error
};

// Cells of a column of some table. Those that are missing count as neither where missing is a category, else as
// unknown.
struct ValueCounts {
  std::size_t known = 0;  // of a value with a category
  std::size_t unknown = 0;
};

// A line for each column in which not one of ten values or more is known: in the table called `source` they are likely
// to be spelt otherwise than in the fitted one. counts: one entry per column of `schema`.
std::vector<std::string> DescribeUnknownColumns(const Schema& schema, std::span<const ValueCounts> counts,
                                                const std::string& source);

}  // namespace dtf
