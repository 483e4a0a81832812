#include "learn/questions/key_columns.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace dtf {
namespace {

constexpr Code kManyCategories = 64;
constexpr double kMostErrors = 0.1;  // of those that guessing the commonest category makes
constexpr double kLeastRepeated = 0.25;
constexpr double kMostPairRows = 2e9;

bool MayBeKey(Code size, bool ordered) { return size >= kManyCategories && !ordered; }

bool MayBeTold(Code size, Code of_key) { return size >= 2 && size < of_key; }

// Of each of the key's categories: its weight, and that of the commonest category beside it, the first of equals.
struct Companions {
  std::vector<std::uint64_t> total;
  std::vector<std::uint64_t> most;
  std::vector<Code> commonest;
};

Companions FindCompanions(const WeightedRows& rows, Feature key, Feature column, Code size) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;  // of key and category; its weight
  pairs.reserve(rows.codes.rows);
  for (std::size_t i = 0; i < rows.codes.rows; ++i) {
    const std::uint64_t of_key = rows.codes.columns[key].At(i);
    if (of_key < size) pairs.emplace_back(of_key << 32 | rows.codes.columns[column].At(i), rows.WeightOf(i));
  }
  std::ranges::sort(pairs);
  Companions found{.total = std::vector<std::uint64_t>(size),
                   .most = std::vector<std::uint64_t>(size),
                   .commonest = std::vector<Code>(size)};
  for (std::size_t begin = 0; begin < pairs.size();) {
    std::uint64_t weight = 0;
    std::size_t end = begin;
    for (; end < pairs.size() && pairs[end].first == pairs[begin].first; ++end) weight += pairs[end].second;
    const auto of_key = static_cast<std::size_t>(pairs[begin].first >> 32);
    found.total[of_key] += weight;
    if (weight > found.most[of_key]) {
      found.most[of_key] = weight;
      found.commonest[of_key] = static_cast<Code>(pairs[begin].first & 0xFFFFFFFF);
    }
    begin = end;
  }
  return found;
}

// What the key tells of the column, if it does.
std::optional<ToldColumn> FindTold(const WeightedRows& rows, Feature key, Feature column, std::span<const Code> sizes) {
  const std::vector<std::uint64_t> counts = rows.CountCategories(column, sizes[column]);
  const double all = rows.TotalRows();
  const double errors = 1 - rows.unit * static_cast<double>(std::ranges::max(counts)) / all;
  Companions companions = FindCompanions(rows, key, column, sizes[key]);
  double repeated = 0;
  double agreeing = 0;
  for (std::size_t code = 0; code < companions.total.size(); ++code) {
    const double total = rows.unit * static_cast<double>(companions.total[code]);
    if (total < 2) continue;
    repeated += total - 1;
    agreeing += std::max(rows.unit * static_cast<double>(companions.most[code]) - 1, 0.0);
  }
  if (repeated < kLeastRepeated * all || repeated - agreeing > kMostErrors * errors * repeated) return std::nullopt;
  return ToldColumn{.column = column, .told = std::move(companions.commonest)};
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
  if (PairRows(rows, sizes, ordered) > kMostPairRows) return told;
  for (Feature key = 0; key < sizes.size(); ++key) {
    if (!MayBeKey(sizes[key], ordered[key])) continue;
    for (Feature column = 0; column < sizes.size(); ++column) {
      if (!MayBeTold(sizes[column], sizes[key])) continue;
      if (auto found = FindTold(rows, key, column, sizes)) told[key].push_back(std::move(*found));
    }
    std::ranges::stable_sort(told[key], {}, [&](const ToldColumn& one) { return sizes[one.column]; });
  }
  return told;
}

}  // namespace dtf
