// An independent base of an autoregressive flow: how often each rank occurs among the rows' latent codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "flow/autoregressive_flow.h"
#include "flow/independent_base.h"
#include "learn/weighted_rows.h"

namespace dtf {

struct RankCounts {
  std::vector<std::vector<std::uint64_t>> counts;  // by column, then rank; equal sums
  double unit = 1;                                 // rows each counts for: a power of two

  bool empty() const { return counts.empty() || counts[0].empty(); }
  std::uint64_t Total() const;  // of each column
};

// The ranks of the rows' latent codes. A row with an unseen value counts for no column. Rows that the flow was learnt
// from have higher ranks than new ones.
RankCounts CountRanks(const AutoregressiveFlow& flow, const WeightedRows& rows);

// The sum of all parts, but for the one left out.
RankCounts SumOf(const std::vector<RankCounts>& parts, std::optional<std::size_t> left_out = std::nullopt);

// alpha, closed: as IndependentBase has them. Without counts all ranks are equally likely.
IndependentBase MakeRankBase(const RankCounts& ranks, double alpha, bool closed);

}  // namespace dtf
