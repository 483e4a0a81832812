// The score of a column given some others, its parents, by which a Bayesian network is searched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/x_log_x_table.h"
#include "learn/questions/question_rows.h"
#include "learn/weighted_rows.h"

namespace dtf {

class FamilyScores {
 public:
  // No table of counts has more cells.
  static constexpr std::size_t kMostCells = std::size_t{1} << 15;

  // Keeps a reference to the rows. parameter_cost: in nats for each free parameter; 1: Akaike's criterion, ½ ln n:
  // Schwarz's.
  FamilyScores(const WeightedRows& rows, double parameter_cost);

  // The largest ln likelihood of the column given its parents, less the cost of the parameters, in nats. There is one
  // distribution for each combination of the parents' codes that occurs; -inf if these combinations times the column's
  // codes are more than kMostCells. The codes of missing values and of the unseen slot are like any others. Time: rows
  // · (parents + 1), times a logarithm where a column has very many codes.
  double Of(Feature column, std::span<const Feature> parents) const;

  // scores[i] = Of(column, parents and candidates[i]), or -inf when the combinations of the parents' codes that occur,
  // times all codes of the candidate and the column, are more than kMostCells. Time: rows · (candidates + parents).
  void With(Feature column, std::span<const Feature> parents, std::span<const Feature> candidates,
            std::span<double> scores, int threads) const;

 private:
  struct Groups;

  // Splits each group by the rows' codes of one more column.
  void SplitByTable(Feature column, Groups& groups) const;
  void SplitBySorting(Feature column, Groups& groups) const;
  Groups GroupBy(std::span<const Feature> columns) const;
  std::size_t CodesOf(Feature column) const { return codes_[column]; }
  double ScoreOf(std::span<const std::uint32_t> counts, std::size_t groups, std::size_t own, std::size_t other,
                 Feature column) const;

  const WeightedRows& rows_;
  CoarseWeights weights_;
  double parameter_cost_;
  std::vector<std::size_t> codes_;    // of each column: one more than the largest
  std::vector<std::size_t> present_;  // of each column: codes that occur
  XLogXTable x_log_x_;
};

}  // namespace dtf
