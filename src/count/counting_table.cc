#include "count/counting_table.h"

#include <algorithm>
#include <bit>

#include "count/planes.h"

namespace dtf {
namespace {

template <typename T>
void CountCells(std::span<const T> cells, std::span<Count> counts) {
  for (const T cell : cells) ++counts[cell];
}

// A pass for each code is faster while there are few: an increment has to wait for the one before.
void CountCells(std::span<const std::uint8_t> cells, std::span<Count> counts) {
  constexpr std::size_t kFewCodes = 24;
  if (counts.size() > kFewCodes) return CountCells<std::uint8_t>(cells, counts);
  for (Code code = 0; code < counts.size(); ++code) counts[code] = CountCode(cells, code);
}

}  // namespace

CountingTable::CountingTable(const CodeTable& table, const CodeLayout& layout, std::span<const Count> weights)
    : table_(table), layout_(layout), weights_(weights) {
  if (!weights.empty()) weight_bits_ = std::bit_width(*std::max_element(weights.begin(), weights.end()));
}

NodeCounts CountingTable::CountRows(std::span<const std::uint32_t> rows) const {
  NodeCounts result;
  result.counts.assign(layout_.total(), 0);
  const bool consecutive = AreConsecutive(rows);
  for (Feature j = 0; j < layout_.features(); ++j) {
    const auto counts = std::span(result.counts).subspan(layout_.begin(j), layout_.size(j));
    table_.columns[j].Visit([&](auto cells) {
      if (!weights_.empty()) {
        for (const std::uint32_t row : rows) counts[cells[row]] += weights_[row];
      } else if (consecutive) {
        CountCells(cells.subspan(rows.empty() ? 0 : rows[0], rows.size()), counts);
      } else {
        for (const std::uint32_t row : rows) ++counts[cells[row]];
      }
    });
  }
  if (weights_.empty()) {
    result.total = static_cast<dtf::Count>(rows.size());
  } else {
    for (const std::uint32_t row : rows) result.total += weights_[row];
  }
  return result;
}

}  // namespace dtf
