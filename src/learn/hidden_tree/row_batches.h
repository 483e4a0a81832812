// The rows dealt into batches of about the same weight, and the patterns of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "learn/hidden_tree/column_tree.h"
#include "learn/hidden_tree/subtree_patterns.h"
#include "learn/weighted_rows.h"

namespace dtf {

class RowBatches {
 public:
  // A row that weighs much has a part in each of several batches. Keeps references.
  RowBatches(const ColumnTree& tree, const WeightedRows& rows);

  std::size_t count() const { return parts_.size(); }
  // Deals the rows out anew. By `seed` and these numbers.
  void Deal(std::uint64_t seed, std::uint64_t number, std::uint64_t deal);
  // REQUIRES: rows have been dealt.
  const SubtreePatterns& PatternsOf(std::size_t batch);

 private:
  const ColumnTree& tree_;
  const WeightedRows& rows_;
  std::vector<std::uint32_t> parts_of_;                   // each row
  std::vector<std::vector<RowPart>> parts_;               // by batch
  std::vector<std::optional<SubtreePatterns>> patterns_;  // by batch; those kept
  std::size_t kept_bytes_ = 0;
  SubtreePatterns not_kept_;
};

// 0, …, size - 1 in an order by chance.
std::vector<std::size_t> ShuffledNumbers(std::size_t size, std::uint64_t seed, std::uint64_t purpose,
                                         std::uint64_t number);

}  // namespace dtf
