#include "learn/forest/growth.h"

#include <cstdio>
#include <numeric>
#include <utility>

#include "base/random.h"
#include "learn/forest/mixture_weights.h"

namespace dtf {
namespace {

// The share of all work that the regressions of a member may take; above it trees are the better use of the work.
constexpr double kRegressionShare = 0.5;

}  // namespace

Growth::Growth(const WeightedRows& rows, const Judge& judge, const ForestOptions& options, const Budget& budget)
    : judge_(judge),
      options_(options),
      rows_(rows.codes.rows),
      total_rows_(rows.TotalRows()),
      columns_(rows.codes.columns.size()),
      budget_(budget) {
  if (options.order == OrderKind::kRandom) return;
  order_ = options.order == OrderKind::kGiven ? options.given_order : Arrange(NaturalOrder(columns_));
  if (order_ != NaturalOrder(columns_) && options.order == OrderKind::kAuto) {
    Say("columns of many categories that tell others, as a merchant its trade, come after them");
  }
}

std::size_t Growth::categories() const {
  const std::vector<Code>& sizes = judge_.columns().sizes;
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
}

std::vector<Feature> Growth::Arrange(std::vector<Feature> order) const {
  return options_.order == OrderKind::kAuto ? KeysLast(judge_.columns(), std::move(order)) : order;
}

MemberChoice Growth::Choose(const Kind& kind) {
  MemberChoice choice{.kind = &kind, .order = {}, .seed = 0};
  choice.most_regression_work = kRegressionShare * budget_.total();
  const std::uint64_t number = next_++;
  choice.seed = RandomStream(options_.seed, RandomPurpose::kOrder, number, 1).Next();
  choice.is_order_drawn = !order_.has_value();
  choice.order = order_ ? *order_ : Arrange(RandomOrder(columns_, options_.seed, number));
  return choice;
}

MemberChoice Growth::Choose(const Trial& trial) {
  MemberChoice choice = Choose(*trial.kind);
  choice.ridge_penalty = trial.ridge_penalty;
  return choice;
}

std::vector<Feature> Growth::NextOrder() {
  const std::uint64_t number = next_++;
  return order_ ? *order_ : Arrange(RandomOrder(columns_, options_.seed, number));
}

double Growth::MeanOf(const std::vector<double>& scores) const {
  return MixtureScore({scores}, std::vector<double>{1.0}, judge_.row_weights());
}

JudgedMember TakeMember(Trial& trial, Budget& budget) {
  budget.Return(trial.member->fit.work);
  return std::move(*std::exchange(trial.member, nullptr));
}

std::string Fixed(double nats) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.4f", nats);
  return buffer;
}

}  // namespace dtf
