#include "learn/forest/merge_rows.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace dtf {
namespace {

// Rows as bytes that compare as their codes do.
class SortableRows {
 public:
  explicit SortableRows(const CodeTable& codes) {
    for (const CodeColumn& column : codes.columns) {
      width_ += column.Visit([]<typename T>(std::span<T>) { return sizeof(T); });
    }
    bytes_.resize(codes.rows * width_);
    std::size_t at = 0;
    for (const CodeColumn& column : codes.columns) {
      column.Visit([&]<typename T>(std::span<T> cells) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
          for (std::size_t b = 0; b < sizeof(T); ++b) {
            bytes_[i * width_ + at + b] = static_cast<unsigned char>(cells[i] >> (8 * (sizeof(T) - 1 - b)));
          }
        }
        at += sizeof(T);
      });
    }
  }

  int Compare(std::size_t a, std::size_t b) const {
    return std::memcmp(bytes_.data() + a * width_, bytes_.data() + b * width_, width_);
  }

 private:
  std::size_t width_ = 0;
  std::vector<unsigned char> bytes_;
};

}  // namespace

WeightedRows MergeEqualRows(const WeightedRows& rows) {
  const SortableRows sortable(rows.codes);
  std::vector<std::size_t> order(rows.codes.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sortable.Compare(a, b) < 0; });
  std::vector<std::size_t> distinct;
  WeightedRows merged{.codes = {}, .weights = {}, .unit = rows.unit, .copy_units = rows.copy_units};
  for (const std::size_t row : order) {
    if (!distinct.empty() && sortable.Compare(distinct.back(), row) == 0) {
      merged.weights.back() += rows.WeightOf(row);
    } else {
      distinct.push_back(row);
      merged.weights.push_back(rows.WeightOf(row));
    }
  }
  merged.codes = rows.codes.Select(distinct);
  const auto is_one = [](std::uint64_t weight) { return weight == 1; };
  if (rows.unit == 1 && std::all_of(merged.weights.begin(), merged.weights.end(), is_one)) merged.weights.clear();
  return merged;
}

}  // namespace dtf
