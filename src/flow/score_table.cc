#include "flow/score_table.h"

#include <span>
#include <utility>

namespace dtf {
std::vector<double> ScoreTable(const Flow& flow, const CodeTable& table, int threads) {
  std::vector<double> scores(table.rows);
  ForEachBlock(flow, table, threads, [&](std::size_t first, CodeBlock block) {
    const std::size_t rows = block.rows();
    flow.LogProb(std::move(block), std::span(scores).subspan(first, rows));
  });
  return scores;
}

std::vector<std::vector<double>> ScoreTablePerColumn(const Flow& flow, const CodeTable& table, int threads) {
  std::vector<std::vector<double>> scores(table.columns.size(), std::vector<double>(table.rows));
  ForEachBlock(flow, table, threads, [&](std::size_t first, CodeBlock block) {
    const std::size_t rows = block.rows();
    std::vector<std::span<double>> out;
    for (auto& column : scores) out.push_back(std::span(column).subspan(first, rows));
    flow.LogProbPerColumn(std::move(block), out);
  });
  return scores;
}

}  // namespace dtf
