#include "learn/mean_nll.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "flow/score_table.h"

namespace dtf {

double MeanNll(const Flow& flow, const WeightedRows& rows, int threads) {
  return MeanNll(ScoreTable(flow, rows.codes, threads), rows);
}

// Sums in ascending order of the scores, equal scores as one summand.
double MeanNll(std::span<const double> scores, const WeightedRows& rows) {
  std::vector<std::pair<double, std::uint64_t>> weighted;
  weighted.reserve(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) weighted.emplace_back(scores[i], rows.WeightOf(i));
  std::sort(weighted.begin(), weighted.end());
  double sum = 0;
  for (std::size_t i = 0; i < weighted.size();) {
    const double score = weighted[i].first;
    std::uint64_t weight = 0;
    for (; i < weighted.size() && weighted[i].first == score; ++i) weight += weighted[i].second;
    sum -= rows.unit * static_cast<double>(weight) * score;
  }
  return sum / rows.TotalRows();
}

}  // namespace dtf
