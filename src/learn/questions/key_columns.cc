#include "learn/questions/key_columns.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include "base/ragged.h"
#include "base/stop.h"
#include "learn/leave_one_out.h"
#include "learn/row_groups.h"

namespace dtf {
namespace {

constexpr Code kManyCategories = 64;
constexpr double kMostErrors = 0.1;  // as a share of those that guessing the commonest category makes
constexpr double kLeastErrors = 20;  // that guessing would make: of fewer, chance would decide
constexpr double kLeastRepeated = 0.25;
constexpr double kMostPairRows = 2e9;
constexpr std::size_t kMostTold = 64;  // columns of one key

bool MayBeKey(Code size, bool ordered) { return size >= kManyCategories && !ordered; }

bool MayBeTold(Code size, Code of_key) { return size >= 2 && size < of_key; }

// The rows by the key's categories.
struct RowsByKey {
  Ragged<std::uint32_t> rows;
  std::vector<RowSum> sums;  // of each category's rows
  double repeated = 0;       // of those that are not their category's first
};

RowsByKey GroupByKey(const WeightedRows& rows, Feature key, Code size) {
  RowsByKey groups{.rows = GroupRows(rows.codes.columns[key], size), .sums = std::vector<RowSum>(size)};
  const double copy_rows = rows.CopyRows();
  for (Code code = 0; code < size; ++code) {
    for (const std::uint32_t row : groups.rows[code]) {
      const double weight = rows.RowWeight(row);
      groups.sums[code].Add(weight, OwnRows(weight, copy_rows));
    }
    groups.repeated += groups.sums[code].Others();
  }
  return groups;
}

std::vector<Feature> FewestCategoriesFirst(std::span<const Code> sizes) {
  std::vector<Feature> columns(sizes.size());
  std::iota(columns.begin(), columns.end(), Feature{0});
  std::ranges::stable_sort(columns, {}, [&](Feature column) { return sizes[column]; });
  return columns;
}

// How often guessing the commonest category of each column is wrong.
std::vector<double> GuessingErrors(const WeightedRows& rows, std::span<const Code> sizes) {
  std::vector<double> errors;
  for (Feature column = 0; column < sizes.size(); ++column) {
    errors.push_back(1 - std::ranges::max(rows.CategoryWeights(column, sizes[column])) / rows.TotalRows());
  }
  return errors;
}

// What the key tells of the column, if it does. Most columns show early that it does not.
std::optional<ToldColumn> FindTold(const WeightedRows& rows, const RowsByKey& groups, Feature column, Code size,
                                   double guessing_errors) {
  if (guessing_errors * groups.repeated < kLeastErrors) return std::nullopt;
  const double most_errors = kMostErrors * guessing_errors * groups.repeated;
  ToldColumn found{.column = column, .told = {}};
  std::vector<std::uint64_t> of_key(size + std::size_t{1});
  double errors = 0;
  rows.codes.columns[column].Visit([&](auto cells) {
    for (std::size_t key = 0; key < groups.sums.size() && errors <= most_errors; ++key) {
      const std::span<const std::uint32_t> its_rows = groups.rows[key];
      for (const std::uint32_t i : its_rows) of_key[cells[i]] += rows.WeightOf(i);
      Code commonest = size;
      std::uint64_t most = 0;
      for (const std::uint32_t i : its_rows) {
        const Code code = cells[i];
        if (of_key[code] > most || (of_key[code] == most && code < commonest)) {
          most = of_key[code];
          commonest = code;
        }
      }
      for (const std::uint32_t i : its_rows) of_key[cells[i]] = 0;
      // The category's first row cannot be wrong, and is none of those that repeat it.
      const RowSum& sum = groups.sums[key];
      errors += sum.Others() > 0 ? sum.rows() - std::max(rows.unit * static_cast<double>(most), sum.Own()) : 0;
      found.told.push_back(commonest);
    }
  });
  return errors <= most_errors ? std::optional(std::move(found)) : std::nullopt;
}

double PairRows(const WeightedRows& rows, std::span<const Code> sizes, const std::vector<bool>& ordered) {
  double pairs = 0;
  for (std::size_t key = 0; key < sizes.size(); ++key) {
    if (!MayBeKey(sizes[key], ordered[key])) continue;
    pairs += static_cast<double>(std::ranges::count_if(sizes, [&](Code size) { return MayBeTold(size, sizes[key]); }));
  }
  return pairs * static_cast<double>(rows.codes.rows);
}

}  // namespace

std::vector<std::vector<ToldColumn>> FindToldColumns(const WeightedRows& rows, std::span<const Code> sizes,
                                                     const std::vector<bool>& ordered) {
  std::vector<std::vector<ToldColumn>> told(sizes.size());
  const double pair_rows = PairRows(rows, sizes, ordered);
  if (pair_rows == 0 || pair_rows > kMostPairRows) return told;
  const std::vector<double> guessing_errors = GuessingErrors(rows, sizes);
  const std::vector<Feature> fewest_first = FewestCategoriesFirst(sizes);
  for (Feature key = 0; key < sizes.size(); ++key) {
    if (!MayBeKey(sizes[key], ordered[key])) continue;
    const RowsByKey groups = GroupByKey(rows, key, sizes[key]);
    if (groups.repeated < kLeastRepeated * rows.TotalRows()) continue;
    for (const Feature column : fewest_first) {
      ThrowIfStopped();
      if (told[key].size() == kMostTold) break;
      if (!MayBeTold(sizes[column], sizes[key])) continue;
      if (auto found = FindTold(rows, groups, column, sizes[column], guessing_errors[column])) {
        told[key].push_back(std::move(*found));
      }
    }
  }
  return told;
}

}  // namespace dtf
