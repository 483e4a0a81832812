// Cutting a numeric column into bins, and drawing values from them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "dtf/schema.h"

namespace dtf {

// The option --bins COL=K[:quantile|:width].
struct BinsRequest {
  std::string column;
  int bins = 0;
  bool equal_width = false;  // else equal weight
};

// Throws Error(kUsage). The column's name may hold '='; what follows the last one counts.
BinsRequest ParseBinsRequest(const std::string& text);

// A finite number in decimal or scientific notation, all of `text`; none if it is not one.
std::optional<double> ParseNumber(std::string_view text);

// The shortest text that ParseNumber reads back.
std::string FormatNumber(double value);

// A number that occurs in the column, with the weight of its rows.
struct WeightedNumber {
  double value;
  std::string text;
  double weight;
};

// Cuts a column with these values (not empty, texts distinct). No bin is empty: fewer than asked for when values
// repeat. Fills column.bins and its categories.
void CutIntoBins(std::vector<WeightedNumber> numbers, const BinsRequest& request, ColumnSchema& column);

// The bin of any finite number.
Code BinOf(const Bins& bins, double value);

// A number drawn from those of the column's precision between the least and greatest seen in the bin, half of them
// below the bin's representative, its median: uniformly where that lies in the middle, and the denser the nearer it is
// to an end, as in the last bin of incomes. REQUIRES: a column with bins.
std::string DrawFromBin(const ColumnSchema& column, Code bin, RandomStream& random);

}  // namespace dtf
