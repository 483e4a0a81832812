#include "learn/forest/singletons.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace dtf {
namespace {

// 0 if it is but one: that says nothing, as the rarer one of two values.
double SingletonsOf(const WeightedRows& rows, Feature column, std::size_t values) {
  std::vector<int> times(values);
  std::vector<double> weights(values);
  rows.codes.columns[column].Visit([&](auto cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i] >= values || rows.WeightOf(i) == 0) continue;
      times[cells[i]] = std::min(times[cells[i]] + 1, 2);
      weights[cells[i]] = rows.RowWeight(i);
    }
  });
  const double copy_rows = rows.CopyRows();
  int singletons = 0;
  double weight = 0;
  for (std::size_t value = 0; value < values; ++value) {
    if (times[value] != 1 || weights[value] > copy_rows) continue;
    ++singletons;
    weight += weights[value];
  }
  return singletons > 1 ? weight : 0;
}

}  // namespace

std::vector<double> CountSingletons(const WeightedRows& rows, const ColumnKinds& kinds) {
  std::vector<double> singletons(kinds.sizes.size());
  for (Feature column = 0; column < singletons.size(); ++column) {
    if (!kinds.binned.empty() && kinds.binned[column]) continue;
    const bool has_missing = !kinds.has_missing.empty() && kinds.has_missing[column];
    singletons[column] = SingletonsOf(rows, column, kinds.sizes[column] - (has_missing ? 1 : 0));
  }
  if (std::ranges::all_of(singletons, [](double weight) { return weight == 0; })) singletons.clear();
  return singletons;
}

}  // namespace dtf
