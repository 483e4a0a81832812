#include "learn/questions/key_columns.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include "base/stop.h"

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
  std::vector<std::size_t> begin;  // of each category's rows, and where the last one's end
  std::vector<std::size_t> rows;
  std::vector<double> totals;  // weight of each category's rows
  double repeated = 0;         // of those that are not their category's first
};

RowsByKey GroupBy(const WeightedRows& rows, Feature key, Code size) {
  const CodeColumn& cells = rows.codes.columns[key];
  RowsByKey groups{.begin = std::vector<std::size_t>(size + std::size_t{1}), .rows = {}, .totals = {}};
  groups.totals.resize(size);
  for (std::size_t i = 0; i < rows.codes.rows; ++i) {
    const Code code = cells.At(i);
    if (code >= size) continue;
    ++groups.begin[code + std::size_t{1}];
    groups.totals[code] += rows.unit * static_cast<double>(rows.WeightOf(i));
  }
  std::partial_sum(groups.begin.begin(), groups.begin.end(), groups.begin.begin());
  groups.rows.resize(groups.begin.back());
  std::vector<std::size_t> next = groups.begin;
  for (std::size_t i = 0; i < rows.codes.rows; ++i) {
    if (const Code code = cells.At(i); code < size) groups.rows[next[code]++] = i;
  }
  for (const double total : groups.totals) groups.repeated += std::max(total - 1, 0.0);
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
    const std::vector<std::uint64_t> counts = rows.CountCategories(column, sizes[column]);
    errors.push_back(1 - rows.unit * static_cast<double>(std::ranges::max(counts)) / rows.TotalRows());
  }
  return errors;
}

// What the key tells of the column, if it does. Most columns show early that it does not.
std::optional<ToldColumn> FindTold(const WeightedRows& rows, const RowsByKey& groups, Feature column, Code size,
                                   double guessing_errors) {
  if (guessing_errors * groups.repeated < kLeastErrors) return std::nullopt;
  const double most_errors = kMostErrors * guessing_errors * groups.repeated;
  const CodeColumn& cells = rows.codes.columns[column];
  ToldColumn found{.column = column, .told = {}};
  std::vector<std::uint64_t> of_key(size + std::size_t{1});
  double errors = 0;
  for (std::size_t key = 0; key < groups.totals.size(); ++key) {
    const std::span<const std::size_t> its_rows(groups.rows.data() + groups.begin[key],
                                                groups.rows.data() + groups.begin[key + 1]);
    for (const std::size_t i : its_rows) of_key[cells.At(i)] += rows.WeightOf(i);
    Code commonest = size;
    std::uint64_t most = 0;
    for (const std::size_t i : its_rows) {
      const Code code = cells.At(i);
      if (of_key[code] > most || (of_key[code] == most && code < commonest)) {
        most = of_key[code];
        commonest = code;
      }
    }
    for (const std::size_t i : its_rows) of_key[cells.At(i)] = 0;
    errors += groups.totals[key] > 1 ? groups.totals[key] - std::max(rows.unit * static_cast<double>(most), 1.0) : 0;
    if (errors > most_errors) return std::nullopt;
    found.told.push_back(commonest);
  }
  return found;
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
    const RowsByKey groups = GroupBy(rows, key, sizes[key]);
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
