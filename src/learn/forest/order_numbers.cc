#include "learn/forest/order_numbers.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "flow/autoregressive_flow.h"
#include "flow/score_table.h"
#include "learn/forest/fit_member.h"

namespace dtf {
namespace {

constexpr Code kFewValues = 4;  // whatever they are asked, it is all the same
constexpr Code kMostValues = 1000;
constexpr std::size_t kSampledRows = 4000;
constexpr double kJudgingShare = 0.25;
constexpr double kLeastJudging = 50;  // rows

std::vector<bool> MayBeOrdered(const ColumnKinds& kinds) {
  std::vector<bool> may_be(kinds.sizes.size());
  for (std::size_t j = 0; j < kinds.numbers.size(); ++j) {
    may_be[j] = kinds.numbers[j] && !kinds.ordered[j] && kinds.sizes[j] > kFewValues && kinds.sizes[j] <= kMostValues;
  }
  return may_be;
}

// Evenly spread over the sorted rows.
WeightedRows Sample(const WeightedRows& rows) {
  const std::size_t step = (rows.codes.rows + kSampledRows - 1) / kSampledRows;
  std::vector<std::uint64_t> weights(rows.codes.rows);
  for (std::size_t i = 0; i < weights.size(); i += std::max<std::size_t>(step, 1)) weights[i] = rows.WeightOf(i);
  return rows.Reweighted(weights);
}

Learner QuickLearner() {
  BoostOptions boost;
  boost.depth = 100;
  boost.leaves = 16;
  boost.column_share = 0.3;
  boost.min_hessian = 0.3;
  boost.lambda = 3;
  boost.shrinkage = 0.3;
  boost.patience = 3;
  return {.tree_share = 0, .ridge = false, .boost = boost};
}

class Trial {
 public:
  Trial(const WeightedRows& train, const WeightedRows& judging, std::vector<bool> columns, std::uint64_t seed,
        int threads)
      : train_(train), judging_(Halve(judging)), columns_(std::move(columns)), seed_(seed), threads_(threads) {}

  // ln P of the judging rows, by column, in both orders; 0 for columns that are not tried.
  std::vector<double> LnP(const ColumnKinds& kinds) const {
    ColumnQuestions questions = ChooseQuestions(train_, kinds.sizes, kinds.ordered);
    questions.differences = FindDifferences(train_, kinds, threads_);
    std::vector<double> ln_p(columns_.size());
    std::vector<Feature> order = NaturalOrder(columns_.size());
    for (int turn = 0; turn < 2; ++turn) {
      AddLnP(questions, order, ln_p);
      std::ranges::reverse(order);
    }
    return ln_p;
  }

 private:
  void AddLnP(const ColumnQuestions& questions, const std::vector<Feature>& order, std::vector<double>& ln_p) const {
    MemberOptions options{
        .order = order, .learner = QuickLearner(), .positions = {}, .seed = seed_, .threads = threads_};
    for (const Feature column : order) options.positions.push_back(columns_[column]);
    MemberFit fit = FitMember(questions, {train_, &judging_}, options);
    const AutoregressiveFlow flow(questions.sizes, order, std::move(fit.tests), std::move(fit.conditioners),
                                  ConditionalBase{.rows = train_.TotalRows(), .alpha = 0.5, .closed = false});
    const auto scores = ScoreTablePerColumn(flow, judging_.rows.codes, threads_);
    for (std::size_t j = 0; j < ln_p.size(); ++j) {
      if (!columns_[j]) continue;
      for (std::size_t i = 0; i < scores[j].size(); ++i) {
        ln_p[j] += static_cast<double>(judging_.rows.WeightOf(i)) * scores[j][i];
      }
    }
  }

  const WeightedRows& train_;
  HalvedRows judging_;
  std::vector<bool> columns_;  // that are tried
  std::uint64_t seed_;
  int threads_;
};

}  // namespace

std::vector<bool> OrderNumbers(const WeightedRows& rows, const ColumnKinds& kinds, std::uint64_t seed, int threads) {
  const std::vector<bool> may_be = MayBeOrdered(kinds);
  if (std::ranges::none_of(may_be, std::identity())) return kinds.ordered;
  const auto [train, judging] = HoldOut(Sample(rows), kJudgingShare);
  if (train.codes.rows == 0 || judging.TotalRows() < kLeastJudging) return kinds.ordered;
  ColumnKinds ordered = kinds;
  for (std::size_t j = 0; j < may_be.size(); ++j) ordered.ordered[j] = kinds.ordered[j] || may_be[j];
  const Trial trial(train, judging, may_be, seed, threads);
  const std::vector<double> as_nominal = trial.LnP(kinds);
  const std::vector<double> as_ordered = trial.LnP(ordered);
  std::vector<bool> chosen = kinds.ordered;
  for (std::size_t j = 0; j < chosen.size(); ++j) chosen[j] = chosen[j] || as_ordered[j] > as_nominal[j];
  return chosen;
}

}  // namespace dtf
