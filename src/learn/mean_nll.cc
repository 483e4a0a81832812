#include "learn/mean_nll.h"

#include "flow/score_table.h"

namespace dtf {

double MeanNll(const Flow& flow, const WeightedRows& rows, int threads) {
  const auto scores = ScoreTable(flow, rows.codes, threads);
  double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    sum -= rows.unit * static_cast<double>(rows.WeightOf(i)) * scores[i];
  }
  return sum / rows.TotalRows();
}

}  // namespace dtf
