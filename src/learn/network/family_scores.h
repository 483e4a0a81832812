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

struct FamilyGroups;  // rows by their combination of the parents' codes

class FamilyScores {
 public:
  // No table of counts has more cells.
  static constexpr std::size_t kMostCells = std::size_t{1} << 15;

  // Keeps a reference to the rows. parameter_cost: in nats for each free parameter; 1: Akaike's criterion, ½ ln n:
  // Schwarz's.
  FamilyScores(const WeightedRows& rows, double parameter_cost);

  // In nats, each the largest ln likelihood of a column given its parents, less the cost of the parameters. There is
  // one distribution for each combination of the parents' codes that occurs; -inf if these combinations times the
  // column's codes are more than kMostCells. The codes of missing values and of the unseen slot are like any others.
  struct Family {
    double score = 0;
    std::vector<double> without;  // each of the parents
    // Each of the candidates besides the parents. -inf, too, when the parents' combinations that occur, times all codes
    // of the candidate and the column, are more than kMostCells.
    std::vector<double> with;
  };

  // Time: rows · (parents + candidates + 1) + combinations that occur · parents², times a logarithm where a column has
  // very many codes; rows · parents² where the score is -inf.
  Family Of(Feature column, std::span<const Feature> parents, std::span<const Feature> candidates, int threads) const;

 private:
  FamilyGroups GroupsOf(Feature column, std::span<const Feature> parents) const;
  double ScoreOf(Feature column, std::span<const Feature> parents) const;
  // Counts of the column's codes in each of the groups that the rows fall into: [groups][own codes].
  std::vector<std::uint32_t> CountIn(const FamilyGroups& groups, Feature column) const;
  std::vector<double> ScoresWithout(Feature column, std::span<const Feature> parents, const FamilyGroups& groups,
                                    std::span<const std::uint32_t> counts) const;
  std::vector<double> ScoresWith(Feature column, std::span<const Feature> candidates, const FamilyGroups& groups,
                                 int threads) const;
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
