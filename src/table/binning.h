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

// Draws numbers between the least and the greatest seen in a bin, rounded to the column's decimals. About half of them
// lie below the bin's representative, its median: the position between the ends is u^p, or 1 − (1 − u)^p, with u
// uniform and p such that its median is right (p = 1 if that is in the middle). Positions are on a logarithmic scale
// where the median is nearer to the middle of that, as in the last bin of incomes.
class BinDraws {
 public:
  // REQUIRES: a column with bins.
  explicit BinDraws(const ColumnSchema& column);

  std::string Draw(Code bin, RandomStream& random) const;

 private:
  struct Bin {
    double low = 0;
    double high = 0;
    double end = 0;  // upper end of the numbers drawn, before they are rounded down
    bool is_rounded = false;
    bool by_logs = false;
    bool from_end = false;  // the position is 1 − (1 − u)^power, else u^power
    double power = 1;
  };
  Bin Prepare(double low, double median, double high) const;

  int decimals_ = 0;
  double step_ = 1;
  std::vector<Bin> bins_;
};

}  // namespace dtf
