#include "learn/hidden_tree/row_batches.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/random.h"

namespace dtf {
namespace {

// Rows as heavy as a part; there are less than twice as many parts.
constexpr double kBatchRows = 512;
// As many parts as rows without weights, but not many more than there are distinct ones.
constexpr double kMostParts = 4;
// Patterns are found anew, each time, of batches beyond.
constexpr std::size_t kMostKeptBytes = std::size_t{1} << 28;
// Streams of RandomPurpose::kHiddenTree from here on.
constexpr std::uint64_t kFirstStream = 2;

}  // namespace

std::vector<std::size_t> ShuffledNumbers(std::size_t size, std::uint64_t seed, std::uint64_t purpose,
                                         std::uint64_t number) {
  RandomStream random(seed, RandomPurpose::kHiddenTree, kFirstStream + purpose, number);
  std::vector<std::size_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  for (std::size_t left = size; left > 1; --left) std::swap(numbers[left - 1], numbers[random.Below(left)]);
  return numbers;
}

RowBatches::RowBatches(const ColumnTree& tree, const WeightedRows& rows) : tree_(tree), rows_(rows) {
  const auto distinct = static_cast<double>(rows.codes.rows);
  const double total = rows.TotalRows();
  const double parts = std::clamp(total, distinct, kMostParts * distinct);
  parts_.resize(static_cast<std::size_t>(std::ceil(parts / kBatchRows)));
  for (std::size_t i = 0; i < rows.codes.rows; ++i) {
    const double share = rows.unit * static_cast<double>(rows.WeightOf(i)) / total;
    const double of_row = std::clamp(std::floor(share * parts + 0.5), 1.0, static_cast<double>(parts_.size()));
    parts_of_.push_back(static_cast<std::uint32_t>(of_row));
  }
}

void RowBatches::Deal(std::uint64_t seed, std::uint64_t number, std::uint64_t deal) {
  for (std::vector<RowPart>& batch : parts_) batch.clear();
  std::size_t next = 0;
  for (const std::size_t row : ShuffledNumbers(rows_.codes.rows, seed, 2 * deal, number)) {
    const double weight = rows_.unit * static_cast<double>(rows_.WeightOf(row)) / parts_of_[row];
    for (std::uint32_t part = 0; part < parts_of_[row]; ++part) {
      parts_[next].push_back({row, weight});
      next = next + 1 == count() ? 0 : next + 1;
    }
  }
  patterns_.assign(count(), std::nullopt);
  kept_bytes_ = 0;
}

const SubtreePatterns& RowBatches::PatternsOf(std::size_t batch) {
  if (patterns_[batch]) return *patterns_[batch];
  not_kept_ = FindPatterns(tree_, rows_.codes, parts_[batch]);
  const std::size_t bytes = not_kept_.Bytes();
  if (kept_bytes_ + bytes > kMostKeptBytes) return not_kept_;
  kept_bytes_ += bytes;
  patterns_[batch] = std::move(not_kept_);
  return *patterns_[batch];
}

}  // namespace dtf
