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

// Numbers of a column's precision, between the least and greatest seen in a bin. About half of them lie below the bin's
// representative, its median: by a power of a uniform number, or of what that lacks, which is 1 where the median lies
// in the middle; and by logarithms where it lies nearer to their middle, as in the last bin of incomes.
class BinDraws {
 public:
  // REQUIRES: a column with bins.
  explicit BinDraws(const ColumnSchema& column);

  std::string Draw(Code bin, RandomStream& random) const;

 private:
  struct Bin {
    double low = 0;
    double high = 0;
    double end = 0;  // of what is drawn from, before it is rounded down
    bool is_rounded = false;
    bool by_logs = false;
    bool from_end = false;  // the power is of what the uniform number lacks
    double power = 1;
  };
  Bin Prepare(double low, double median, double high) const;

  int decimals_ = 0;
  double step_ = 1;
  std::vector<Bin> bins_;
};

}  // namespace dtf
