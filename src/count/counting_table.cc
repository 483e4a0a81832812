#include "count/counting_table.h"

#include <algorithm>
#include <bit>

namespace dtf {

CountingTable::CountingTable(const CodeTable& table, const CodeLayout& layout, std::span<const Count> weights)
    : table_(table), layout_(layout), weights_(weights) {
  if (!weights.empty()) weight_bits_ = std::bit_width(*std::max_element(weights.begin(), weights.end()));
}

NodeCounts CountingTable::CountRows(std::span<const std::uint32_t> rows) const {
  NodeCounts result;
  result.counts.assign(layout_.total(), 0);
  for (Feature j = 0; j < layout_.features(); ++j) {
    dtf::Count* counts = result.counts.data() + layout_.begin(j);
    table_.columns[j].Visit([&](auto cells) {
      if (weights_.empty()) {
        for (const std::uint32_t row : rows) ++counts[cells[row]];
      } else {
        for (const std::uint32_t row : rows) counts[cells[row]] += weights_[row];
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
