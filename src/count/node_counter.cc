// NodeCounter: construction, and the counts of a split's sides. Counting candidates is in node_counter_count.cc.
#include <algorithm>

#include "count/counting_table.h"
#include "count/plane_rows.h"

namespace dtf {

NodeCounter::NodeCounter(const CountingTable& table, std::span<const std::uint32_t> rows, const NodeCounts& counts)
    : table_(table), rows_(rows), planes_(SetPresent(counts)) {
  SetPositions();
}

NodeCounter::NodeCounter(const NodeCounter& parent, std::span<const std::uint64_t> side,
                         std::span<const std::uint32_t> rows, const NodeCounts& counts)
    : table_(parent.table_),
      rows_(rows),
      planes_(SetPresent(counts), parent.planes_, parent.present_, PlaneCompressor(side)) {
  SetPositions();
}

NodePlanes::Source NodeCounter::SetPresent(const NodeCounts& counts) {
  std::vector<Code> present;
  for (Feature j = 0; j < table_.layout().features(); ++j) {
    const auto of_feature = counts.Of(table_.layout(), j);
    present.clear();
    for (Code code = 0; code < of_feature.size(); ++code) {
      if (of_feature[code] == 0) continue;
      present.push_back(code);
      counts_.push_back(of_feature[code]);
    }
    present_.Append(present);
  }
  return {table_.table_, table_.weights_, table_.weight_bits_, rows_, present_};
}

void NodeCounter::SetPositions() {
  const CodeLayout& layout = table_.layout();
  for (Feature j = 0; j < layout.features(); ++j) {
    most_present_ = std::max(most_present_, present_[j].size());
    most_planes_ = std::max(most_planes_, StoredPlanes(j));
    all_have_planes_ = all_have_planes_ && planes_.Has(j);
  }
  if (all_have_planes_ && PlaneLimit(most_present_) >= most_planes_) return;
  position_.resize(layout.total());
  for (Feature j = 0; j < layout.features(); ++j) {
    std::uint32_t position = 0;
    for (const Code code : present_[j]) position_[layout.begin(j) + code] = position++;
  }
}

RowSplit NodeCounter::Split(const SetSplit& split) const {
  RowSplit sides;
  sides.left.assign(planes_.words(), 0);
  WithSide(split, table_.layout().size(split.feature), [&](const auto& goes_left) {
    table_.table_.columns[split.feature].Visit([&](auto cells) {
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        sides.left[i / 64] |= std::uint64_t{goes_left(cells[rows_[i]])} << (i % 64);
      }
    });
  });
  sides.right = sides.left;
  for (std::uint64_t& word : sides.right) word = ~word;
  if (rows_.size() % 64 != 0) sides.right.back() &= (std::uint64_t{1} << (rows_.size() % 64)) - 1;
  return sides;
}

NodeCounts NodeCounter::CountSide(std::span<const std::uint64_t> side) const {
  const CodeLayout& layout = table_.layout();
  const auto& weights = table_.weights_;
  NodeCounts result;
  result.counts.assign(layout.total(), 0);
  for (const std::size_t i : PlaneRows(side)) result.total += weights.empty() ? 1 : weights[rows_[i]];
  const std::size_t bits = std::max<std::size_t>(planes_.weights().planes, 1);
  std::vector<std::uint64_t> weighted(side.begin(), side.end());
  for (std::size_t bit = 0; bit < bits; ++bit) {
    if (!weights.empty()) {
      for (std::size_t w = 0; w < side.size(); ++w) weighted[w] = side[w] & planes_.weights()[bit][w];
    }
    for (Feature j = 0; j < layout.features(); ++j) {
      dtf::Count* counts = result.counts.data() + layout.begin(j);
      const PlaneMatrix planes = planes_.Of(j);
      for (std::size_t i = 0; i < planes.planes; ++i) {
        counts[present_[j][i]] += static_cast<dtf::Count>(CountBoth(planes[i], weighted)) << bit;
      }
    }
  }
  for (Feature j = 0; j < layout.features(); ++j) {
    dtf::Count* counts = result.counts.data() + layout.begin(j);
    if (planes_.Has(j)) {
      if (present_[j].empty()) continue;
      dtf::Count others = 0;
      for (std::size_t i = 0; i + 1 < present_[j].size(); ++i) others += counts[present_[j][i]];
      counts[present_[j].back()] = result.total - others;
    } else {
      table_.table_.columns[j].Visit([&](auto cells) {
        for (const std::size_t i : PlaneRows(side)) counts[cells[rows_[i]]] += weights.empty() ? 1 : weights[rows_[i]];
      });
    }
  }
  return result;
}

}  // namespace dtf
