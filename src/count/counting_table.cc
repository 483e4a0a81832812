#include "count/counting_table.h"

#include <numeric>

namespace dtf {

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

NodeCounter::NodeCounter(const CountingTable& table, std::span<const std::uint32_t> rows, const NodeCounts& counts)
    : table_(table), rows_(rows), position_(table.layout().total()) {
  const CodeLayout& layout = table.layout();
  std::vector<Code> present;
  for (Feature j = 0; j < layout.features(); ++j) {
    const auto of_feature = counts.Of(layout, j);
    present.clear();
    for (Code code = 0; code < of_feature.size(); ++code) {
      if (of_feature[code] == 0) continue;
      position_[layout.begin(j) + code] = static_cast<std::uint32_t>(present.size());
      present.push_back(code);
    }
    present_.Append(present);
    present_sizes_.push_back(present.size());
  }
}

BlockCounts NodeCounter::Count(std::span<const Candidate> candidates) const {
  BlockCounts block(present_sizes_, candidates.size());
  const CodeLayout& layout = table_.layout();
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> lane_of_row(rows_.size());
  for (std::size_t first = 0; first < candidates.size();) {
    const Feature split = candidates[first].feature;
    std::vector<std::uint32_t> lane_of_code(layout.size(split), kNone);
    std::size_t last = first;
    for (; last < candidates.size() && candidates[last].feature == split; ++last) {
      lane_of_code[candidates[last].value] = static_cast<std::uint32_t>(last);
    }
    table_.table_.columns[split].Visit([&](auto cells) {
      for (std::size_t i = 0; i < rows_.size(); ++i) lane_of_row[i] = lane_of_code[cells[rows_[i]]];
    });
    for (Feature j = 0; j < layout.features(); ++j) {
      if (j == split) continue;
      const std::uint32_t* position = position_.data() + layout.begin(j);
      table_.table_.columns[j].Visit([&](auto cells) {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
          if (lane_of_row[i] == kNone) continue;
          const std::uint32_t row = rows_[i];
          block.Row(j, position[cells[row]])[lane_of_row[i]] += table_.weights_.empty() ? 1 : table_.weights_[row];
        }
      });
    }
    first = last;
  }
  return block;
}

}  // namespace dtf
