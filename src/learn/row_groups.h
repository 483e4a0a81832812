// Rows by what they have in common: one pass counts, another one puts each into its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/ragged.h"
#include "table/code_table.h"

namespace dtf {

// The values of each group, in the order in which they come. for_each(f): calls f(group, value) for all of them; it is
// done twice, and must do the same.
template <typename ForEach>
Ragged<std::uint32_t> GroupValues(std::size_t groups, const ForEach& for_each) {
  std::vector<std::size_t> next(groups + 1);  // where each group's next value goes
  for_each([&](std::size_t group, std::uint32_t /*value*/) { ++next[group + 1]; });
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> values(next.back());
  for_each([&](std::size_t group, std::uint32_t value) { values[next[group]++] = value; });
  next.pop_back();  // the others are where the groups end, now
  return {std::move(values), std::move(next)};
}

// The rows of each of the column's first `size` codes, ascending.
inline Ragged<std::uint32_t> GroupRows(const CodeColumn& column, std::size_t size) {
  return column.Visit([&](auto cells) {
    return GroupValues(size, [&](const auto& f) {
      for (std::uint32_t i = 0; i < cells.size(); ++i) {
        if (cells[i] < size) f(cells[i], i);
      }
    });
  });
}

}  // namespace dtf
