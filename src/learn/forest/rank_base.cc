#include "learn/forest/rank_base.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/ragged.h"

namespace dtf {
namespace {

// The least alpha when there are no counts: IndependentBase needs one or the other.
constexpr double kLeastAlpha = 1e-3;

}  // namespace

std::uint64_t RankCounts::Total() const {
  return empty() ? 0 : std::accumulate(counts[0].begin(), counts[0].end(), std::uint64_t{0});
}

RankCounts CountRanks(const AutoregressiveFlow& flow, const WeightedRows& rows) {
  RankCounts ranks{.counts = {}, .unit = rows.unit};
  for (const Code size : flow.sizes()) ranks.counts.emplace_back(size, 0);
  const std::size_t block_rows = flow.BlockRows();
  for (std::size_t first = 0; first < rows.codes.rows; first += block_rows) {
    const std::size_t count = std::min(block_rows, rows.codes.rows - first);
    const CodeBlock block = flow.Encode(CodeBlock(rows.codes, first, count));
    for (std::size_t i = 0; i < count; ++i) {
      bool seen = true;
      for (std::size_t j = 0; j < ranks.counts.size(); ++j) seen = seen && block[j][i] < ranks.counts[j].size();
      if (!seen) continue;
      for (std::size_t j = 0; j < ranks.counts.size(); ++j) ranks.counts[j][block[j][i]] += rows.WeightOf(first + i);
    }
  }
  return ranks;
}

RankCounts SumOf(const std::vector<RankCounts>& parts, std::optional<std::size_t> left_out) {
  RankCounts sum{.counts = {}, .unit = std::ranges::min(parts, {}, &RankCounts::unit).unit};
  for (const auto& of_column : parts[0].counts) sum.counts.emplace_back(of_column.size(), 0);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (p == left_out) continue;
    const auto units = static_cast<std::uint64_t>(parts[p].unit / sum.unit);
    for (std::size_t j = 0; j < sum.counts.size(); ++j) {
      for (std::size_t rank = 0; rank < sum.counts[j].size(); ++rank) {
        sum.counts[j][rank] += units * parts[p].counts[j][rank];
      }
    }
  }
  return sum;
}

IndependentBase MakeRankBase(const RankCounts& ranks, double alpha, bool closed) {
  Ragged<std::uint64_t> counts;
  for (const auto& of_column : ranks.counts) counts.Append(of_column);
  return {std::move(counts), ranks.unit, std::max(alpha, ranks.Total() == 0 ? kLeastAlpha : 0.0), closed};
}

}  // namespace dtf
