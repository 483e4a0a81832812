#include "learn/forest/judge.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "flow/score_table.h"
#include "learn/forest/merge_rows.h"

namespace dtf {
namespace {

constexpr int kFolds = 5;
// With so many rows to judge by, chance sways a choice less than what it is worth.
constexpr double kEnoughRows = 500;
// Cross-validation learns six times instead of once.
constexpr std::size_t kMostCells = 150'000;

void AppendWeights(const WeightedRows& rows, std::vector<double>& weights) {
  for (std::size_t i = 0; i < rows.codes.rows; ++i) {
    weights.push_back(rows.unit * static_cast<double>(rows.WeightOf(i)));
  }
}

// The mean over the folds of how much was learnt.
MemberSizes MeanOf(const std::vector<MemberSizes>& folds) {
  MemberSizes mean = folds[0];
  for (std::size_t column = 0; column < mean.size(); ++column) {
    for (std::size_t q = 0; q < mean[column].size(); ++q) {
      double steps = 0;
      double rounds = 0;
      for (const MemberSizes& fold : folds) {
        steps += fold[column][q].linear_steps;
        rounds += fold[column][q].boost_rounds;
      }
      const auto count = static_cast<double>(folds.size());
      mean[column][q] = {static_cast<int>(std::lround(steps / count)), static_cast<int>(std::lround(rounds / count))};
    }
  }
  return mean;
}

}  // namespace

AutoregressiveFlow MakeFlow(const ColumnQuestions& columns, const std::vector<Feature>& order, MemberFit fit,
                            AutoregressiveFlow::Base base) {
  return AutoregressiveFlow(columns.sizes, order, std::move(fit.tests), std::move(fit.conditioners), std::move(base));
}

bool Judge::CrossValidates(const WeightedRows& rows, const WeightedRows* valid) {
  const bool enough = valid != nullptr && valid->TotalRows() >= kEnoughRows;
  return !enough && rows.codes.rows * rows.codes.columns.size() <= kMostCells;
}

Judge::Judge(const WeightedRows& rows, const WeightedRows* valid, const ColumnQuestions& columns,
             const ConditionalBase& unseen, int threads)
    : rows_(rows), valid_(valid), columns_(columns), unseen_(unseen), threads_(threads) {
  if (CrossValidates(rows, valid)) {
    for (int fold = 0; fold < kFolds; ++fold) {
      auto [train, held_out] = HoldOutFold(rows, fold, kFolds);
      if (train.codes.rows == 0 || held_out.codes.rows == 0) continue;
      AppendWeights(held_out, row_weights_);
      folds_.push_back({std::move(train), std::move(held_out)});
    }
  }
  if (valid != nullptr) AppendWeights(*valid, row_weights_);
}

JudgedMember Judge::Learn(const MemberChoice& choice, const std::vector<bool>& positions) const {
  JudgedMember member{.choice = choice, .fit = {}, .scores = {}};
  if (folds_.empty()) {
    member.fit = Fit(choice, positions, rows_, valid_, nullptr);
  } else {
    std::vector<MemberSizes> sizes;
    double work = 0;
    for (const Fold& fold : folds_) {
      MemberFit fit = Fit(choice, positions, fold.train, &fold.held_out, nullptr);
      AppendScores(choice, positions, fit, fold.held_out, member.scores);
      sizes.push_back(std::move(fit.sizes));
      work += fit.work;
    }
    const MemberSizes mean = MeanOf(sizes);
    member.fit = Fit(choice, positions, rows_, nullptr, &mean);
    member.fit.work += work;
  }
  if (valid_ != nullptr) AppendScores(choice, positions, member.fit, *valid_, member.scores);
  return member;
}

MemberFit Judge::Fit(const MemberChoice& choice, const std::vector<bool>& positions, const WeightedRows& train,
                     const WeightedRows* valid, const MemberSizes* sizes) const {
  return FitMember(columns_, {train, valid},
                   {.order = choice.order,
                    .learner = choice.kind->learner,
                    .sizes = sizes,
                    .positions = positions,
                    .seed = choice.seed,
                    .threads = threads_});
}

void Judge::AppendScores(const MemberChoice& choice, const std::vector<bool>& positions, const MemberFit& fit,
                         const WeightedRows& rows, std::vector<double>& scores) const {
  const AutoregressiveFlow flow = MakeFlow(columns_, choice.order, fit, unseen_);
  if (positions.empty()) {
    const auto all = ScoreTable(flow, rows.codes, threads_);
    scores.insert(scores.end(), all.begin(), all.end());
    return;
  }
  const auto columns = ScoreTablePerColumn(flow, rows.codes, threads_);
  for (std::size_t i = 0; i < rows.codes.rows; ++i) {
    double score = 0;
    for (std::size_t p = 0; p < positions.size(); ++p) {
      if (positions[p]) score += columns[choice.order[p]][i];
    }
    scores.push_back(score);
  }
}

}  // namespace dtf
