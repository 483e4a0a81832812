#include "api/row_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "api/check_rows.h"
#include "base/column_names.h"
#include "dtf/error.h"
#include "learn/weighted_rows.h"
#include "table/binning.h"

namespace dtf {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// Of a mean; so that sums are finite. (A fit takes less in sum.)
constexpr double kMostWeight = 1e100;

bool IsWeight(double weight, WeightUse use) {
  const double least = use == WeightUse::kFit ? kLeastWeight : 0;
  return weight == 0 || (weight >= least && weight <= kMostWeight);
}

// `where`: the row and its value.
[[noreturn]] void ThrowBadWeight(const std::string& where, double weight) {
  std::string reason = " is no weight; weights are numbers that are not negative";
  if (weight > kMostWeight && std::isfinite(weight)) reason = " is too large a weight; scale all of them down";
  if (weight > 0 && weight < kMostWeight) {
    reason =
        " is too small a weight: below 2^-17 it would count as 0; write 0, or scale all weights up (--alpha and "
        "--min-split speak of weight, too)";
  }
  throw Error(ErrorKind::kInput, where + reason);
}

// `where`: the table, and its column if it is one of that.
void CheckSum(const std::string& where, std::span<const double> weights) {
  if (weights.empty()) return;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (sum == 0) throw Error(ErrorKind::kInput, where + ": all weights are zero");
  if (sum > kMostWeightSum) {
    throw Error(ErrorKind::kInput, where + ": the weights sum to more than 2^36; scale them down");
  }
}

void WarnOfRounding(const Batch& rows, std::span<const double> weights, std::vector<std::string>& warnings) {
  constexpr double kNotable = 0.01;
  double worst = 0;
  std::string warning;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    const double kept = kWeightStep * std::floor(weights[i] / kWeightStep + 0.5);
    const double change = std::abs(kept / weights[i] - 1);
    if (change <= std::max(kNotable, worst)) continue;
    worst = change;
    warning = DescribeRow(rows, i) + ": the weight " + FormatNumber(weights[i]) + " counts as " + FormatNumber(kept) +
              ", for weights that are not whole are kept in steps of 2^-16; to change none by more than 1 %, scale all "
              "of them up (--alpha and --min-split speak of weight, too)";
  }
  if (worst > 0) warnings.push_back(warning);
}

// Weights that only compare rows say too little. Those that tell how many of a population a row stands for say too
// much: chance would be learnt for certain, and the rows held out would be the same again.
void WarnOfSum(const Batch& rows, std::span<const double> weights, std::vector<std::string>& warnings) {
  constexpr double kFew = 0.5;
  constexpr double kMany = 10;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const auto weighted =
      static_cast<double>(weights.size() - static_cast<std::size_t>(std::count(weights.begin(), weights.end(), 0)));
  const std::string what = rows.source + ": the weights of " + FormatNumber(weighted) + " rows sum to " +
                           FormatNumber(sum) + ", and so much is learnt as from so many rows; scale weights that ";
  if (sum < kFew * weighted) {
    warnings.push_back(what + "are only relative to each other so that they sum to about the number of rows");
  } else if (weighted > 0 && sum >= kMany * weighted) {
    warnings.push_back(what + "tell how many of a population a row stands for, not how often it was seen, so that " +
                       "they sum to about the number of rows");
  }
}

// `where`: the table, and its column if it is one of that.
std::vector<double> Keep(std::span<const double> weights, const std::string& where, const Batch& rows,
                         std::vector<std::string>& warnings) {
  CheckSum(where, weights);
  WarnOfRounding(rows, weights, warnings);
  WarnOfSum(rows, weights, warnings);
  return RoundToSteps(weights);
}

}  // namespace

std::optional<std::size_t> FindColumn(const std::vector<ColumnHeader>& headers, const std::string& name) {
  const auto found =
      std::find_if(headers.begin(), headers.end(), [&](const ColumnHeader& column) { return column.name == name; });
  if (found == headers.end()) return std::nullopt;
  return static_cast<std::size_t>(found - headers.begin());
}

std::vector<double> ReadWeightColumn(const std::vector<ColumnHeader>& headers, const Batch& rows, std::size_t position,
                                     WeightUse use) {
  const TextColumn& column = rows.columns[position];
  std::vector<double> entries;
  for (const auto& text : column.dictionary) entries.push_back(ParseNumber(text).value_or(kNoNumber));
  std::vector<double> weights;
  for (std::size_t i = 0; i < column.cells.size(); ++i) {
    const Code cell = column.cells[i];
    const double weight = cell == kMissingCell ? kNoNumber : entries[cell];
    if (!IsWeight(weight, use)) {
      const std::string value = cell == kMissingCell ? "a missing cell" : "`" + column.dictionary[cell] + "`";
      ThrowBadWeight(DescribeRow(rows, i) + ", column `" + headers[position].name + "`: " + value, weight);
    }
    weights.push_back(weight);
  }
  return weights;
}

std::vector<double> ReadWeights(const NamedTable& table, const std::optional<std::string>& name,
                                std::vector<std::string>& warnings) {
  if (!name) return {};
  const std::optional<std::size_t> position = FindColumn(table.headers, *name);
  if (!position) ThrowNoSuchColumn("--weights", *name, table.rows.source, NamesOf(table.headers));
  const std::vector<double> weights = ReadWeightColumn(table.headers, table.rows, *position, WeightUse::kFit);
  return Keep(weights, table.rows.source + ", column `" + *name + "`", table.rows, warnings);
}

std::vector<double> ReadWeights(const FitInputs& inputs, const FitOptions& options,
                                std::vector<std::string>& warnings) {
  const std::span<const double> weights = inputs.row_weights;
  if (weights.empty()) return ReadWeights(inputs.train, options.weights, warnings);
  if (options.weights) throw Error(ErrorKind::kUsage, "--weights and weights of the rows exclude each other");
  const Batch& rows = inputs.train.rows;
  CheckWeightCount(rows, weights);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!IsWeight(weights[i], WeightUse::kFit)) {
      ThrowBadWeight(DescribeRow(rows, i) + ": " + FormatNumber(weights[i]), weights[i]);
    }
  }
  return Keep(weights, rows.source, rows, warnings);
}

}  // namespace dtf
