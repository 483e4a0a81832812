// An independent base of an autoregressive flow: how often each rank is a row's.
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

// A row with an unseen value counts for no column. What a flow was learnt from has ranks that are too good.
RankCounts CountRanks(const AutoregressiveFlow& flow, const WeightedRows& rows);

// Of all of these together, but for the one left out.
RankCounts SumOf(const std::vector<RankCounts>& parts, std::optional<std::size_t> left_out = std::nullopt);

// alpha, closed: as IndependentBase has them; of no rows, all ranks are alike.
IndependentBase MakeRankBase(const RankCounts& ranks, double alpha, bool closed);

}  // namespace dtf
