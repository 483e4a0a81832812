#include "learn/forest/order_numbers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

#include "flow/autoregressive_flow.h"
#include "flow/score_table.h"
#include "learn/forest/fit_member.h"
#include "learn/leave_one_out.h"
#include "learn/questions/context_tests.h"

namespace dtf {
namespace {

constexpr Code kFewValues = 4;  // of so few it hardly matters how they are asked
constexpr Code kMostValues = 1000;
constexpr std::size_t kMostRows = 4000;  // of the trial
constexpr std::size_t kLeastRows = 400;
// Questions · tests · rows of the trials: some seconds of one core.
constexpr double kMostWork = 1e10;
constexpr int kParts = 4;             // the last is for validation: rows already held out were taken from the first
constexpr double kLeastJudging = 50;  // rows for validation
// A column is taken as ordered if its mean gain per row is above so many nats, and so many standard errors.
constexpr double kLeastGain = 0.002;
constexpr double kLeastErrors = 2;

std::vector<bool> MayBeOrdered(const ColumnKinds& kinds, const FoundRelations& found) {
  std::vector<bool> may_be(kinds.sizes.size());
  for (std::size_t j = 0; j < kinds.numbers.size(); ++j) {
    const bool is_key = !found.told[j].empty() && found.differences[j].empty();
    may_be[j] = kinds.numbers[j] && !kinds.ordered[j] && !is_key && kinds.sizes[j] > kFewValues &&
                kinds.sizes[j] <= kMostValues;
  }
  return may_be;
}

// How many rows the work allows to try with.
std::size_t RowsToTry(const ColumnKinds& kinds, const std::vector<bool>& columns) {
  double questions = 0;
  double tests = 0;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    tests += std::min<double>(kinds.sizes[j], kMostTestsOfColumn);
    if (columns[j]) questions += kinds.sizes[j];
  }
  return static_cast<std::size_t>(std::min(kMostWork / (questions * tests), static_cast<double>(kMostRows)));
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

// By column, for each validation row, the sum of the column's ln P in the table's order and in its reverse; empty for
// columns that are not tried.
using RowScores = std::vector<std::vector<double>>;

class QuickMembers {
 public:
  QuickMembers(const WeightedRows& train, const WeightedRows& judging,
               const std::vector<std::vector<Difference>>& differences, std::vector<bool> columns, std::uint64_t seed,
               int threads)
      : train_(train),
        judging_(Halve(judging)),
        differences_(differences),
        columns_(std::move(columns)),
        seed_(seed),
        threads_(threads) {}

  const WeightedRows& judging() const { return judging_.rows; }

  RowScores Score(const ColumnKinds& kinds) const {
    ColumnQuestions questions = ChooseQuestions(train_, kinds.sizes, kinds.ordered);
    questions.differences = differences_;
    RowScores scores(columns_.size());
    std::vector<Feature> order = NaturalOrder(columns_.size());
    for (int turn = 0; turn < 2; ++turn) {
      AddScores(questions, order, scores);
      std::ranges::reverse(order);
    }
    return scores;
  }

 private:
  void AddScores(const ColumnQuestions& questions, const std::vector<Feature>& order, RowScores& scores) const {
    MemberOptions options{
        .order = order, .learner = QuickLearner(), .positions = {}, .seed = seed_, .threads = threads_};
    for (const Feature column : order) options.positions.push_back(columns_[column]);
    MemberFit fit = FitMember(questions, {train_, &judging_}, options);
    const AutoregressiveFlow flow(questions.sizes, order, std::move(fit.tests), std::move(fit.conditioners),
                                  ConditionalBase{.rows = train_.TotalRows(), .alpha = 0.5, .closed = false});
    const RowScores of_order = ScoreTablePerColumn(flow, judging_.rows.codes, threads_);
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (!columns_[j]) continue;
      scores[j].resize(of_order[j].size());
      std::ranges::transform(scores[j], of_order[j], scores[j].begin(), std::plus<>());
    }
  }

  const WeightedRows& train_;
  HalvedRows judging_;
  const std::vector<std::vector<Difference>>& differences_;
  std::vector<bool> columns_;  // that are tried
  std::uint64_t seed_;
  int threads_;
};

bool IsBetter(const WeightedRows& rows, std::span<const double> scores, std::span<const double> others) {
  double total = 0;
  double sum = 0;
  const double copy_rows = rows.CopyRows();
  double squares = 0;  // of the rows' gains, each times its weight
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double weight = rows.RowWeight(i);
    const double gain = scores[i] - others[i];
    total += weight;
    sum += weight * gain;
    squares += weight * gain * OwnRows(weight, copy_rows) * gain;
  }
  return sum > kLeastGain * total && sum > kLeastErrors * std::sqrt(squares);
}

}  // namespace

std::vector<bool> OrderNumbers(const WeightedRows& rows, const ColumnKinds& kinds, const FoundRelations& found,
                               std::uint64_t seed, int threads) {
  const std::vector<bool> may_be = MayBeOrdered(kinds, found);
  if (std::ranges::none_of(may_be, std::identity())) return kinds.ordered;
  const std::size_t most = RowsToTry(kinds, may_be);
  if (most < kLeastRows) return kinds.ordered;
  const auto [train, judging] = HoldOutFold(rows.EvenSample(most), kParts - 1, kParts);
  if (train.codes.rows == 0 || judging.TotalRows() < kLeastJudging * judging.CopyRows()) return kinds.ordered;
  ColumnKinds ordered = kinds;
  for (std::size_t j = 0; j < may_be.size(); ++j) ordered.ordered[j] = kinds.ordered[j] || may_be[j];
  const QuickMembers members(train, judging, found.differences, may_be, seed, threads);
  const RowScores as_nominal = members.Score(kinds);
  const RowScores as_ordered = members.Score(ordered);
  for (std::size_t j = 0; j < may_be.size(); ++j) {
    if (may_be[j]) ordered.ordered[j] = IsBetter(members.judging(), as_ordered[j], as_nominal[j]);
  }
  return ordered.ordered;
}

}  // namespace dtf
