#include "learn/forest/grow_forest.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "base/stop.h"
#include "learn/forest/choose_order.h"
#include "learn/forest/growth.h"
#include "learn/forest/mixture_weights.h"
#include "learn/forest/screen_kinds.h"
#include "learn/forest/try_latents.h"
#include "learn/forest/try_networks.h"

namespace dtf {
namespace {

// Steps towards the weights of the members so far, which serve the learning curve only.
constexpr int kCurveSteps = 20;
// A kind whose weight is below this part of an equal share of the mixture is not learnt again.
constexpr double kLeastShare = 0.25;

class Forest {
 public:
  Forest(const WeightedRows& rows, const Judge& judge, const ForestOptions& options, const Budget& budget,
         const FlowListener& listener)
      : growth_(rows, judge, options, budget), judge_(judge), options_(options), listener_(listener) {}

  GrownForest Grow() {
    if (judge_.has_rows()) {
      GrowJudged();
    } else {
      GrowUnjudged();
    }
    grown_.choices = growth_.TakeChoices();
    return std::move(grown_);
  }

 private:
  void GrowJudged() {
    if (options_.conditioner == ConditionerKind::kAuto) Begin("trying kinds of members");
    trials_ = ScreenKinds(growth_);
    most_ = options_.members.value_or(kMostMembers);
    if (most_ > 1 && options_.order == OrderKind::kAuto) AddInOrder();
    // No order has been chosen yet: keep one member, the one that `--members 1` gives.
    if (growth_.budget().is_out_of_time()) most_ = 1;
    for (std::size_t k = 0; k < trials_.size() && !IsFull(); ++k) Try(trials_[k]);
    std::vector<JudgedMember> networks;
    if (WantsNetworks(growth_)) {
      Begin("looking for Bayesian networks");
      networks = TryNetworks(growth_, trials_[0]);
    }
    ShareOut();
    while (!IsFull() && AddMember()) {
    }
    if (WantsLatents(growth_)) {
      Begin("learning latent models");
      grown_.latents = TryLatents(growth_, [this](const JudgedLatent& model) { return WeightOf(model); });
    }
    std::move(networks.begin(), networks.end(), std::back_inserter(members()));
  }

  // Without validation rows nothing can be chosen: averaged trees, which need no choice.
  void GrowUnjudged() {
    trials_.push_back({&TreeKind()});
    growth_.Say("nothing to choose by: one averaged tree a question");
    most_ = options_.members.value_or(1);
    while (!IsFull()) Add(trials_[0], judge_.Learn(growth_.Choose(trials_[0]), {}));
  }

  std::vector<JudgedMember>& members() { return grown_.members; }
  const std::vector<JudgedMember>& members() const { return grown_.members; }
  int Size() const { return static_cast<int>(members().size()); }
  bool IsFull() const { return Size() >= most_; }

  // Tells the listener of a phase that takes a while before it gives a member.
  void Begin(const std::string& phase) {
    listener_({.refit = false,
               .step = FitStep::kPhase,
               .point = {.layers = Size(), .train_nll = std::nullopt, .valid_nll = std::nullopt},
               .of = options_.members,
               .note = phase});
  }

  // Settles on an order, or on none, by members of the best kind.
  void AddInOrder() {
    const auto natural = growth_.order();
    std::vector<JudgedMember> tries =
        ChooseOrder(growth_, trials_[0], [this](const std::string& phase) { Begin(phase); });
    if (growth_.order() && growth_.order() != natural) {
      for (Trial& trial : trials_) trial.member.reset();  // they have the table's
    }
    for (JudgedMember& member : tries) {
      if (IsFull()) break;
      growth_.budget().Return(member.fit.work);  // Add counts it again
      Add(trials_[0], std::move(member));
    }
  }

  // The kind's first member, unless it has one.
  void Try(Trial& trial) {
    if (trial.first) return;
    if (trial.member) {
      Add(trial, TakeMember(trial, growth_.budget()));
    } else if (members().empty() || growth_.budget().Affords(trial.work, kTrialShare)) {
      Add(trial, judge_.Learn(growth_.Choose(trial), {}));
    }
  }

  void Add(Trial& trial, JudgedMember member) {
    ThrowIfStopped();
    growth_.budget().Use(member.fit.work);
    trial.work = member.fit.work;
    if (!trial.ridge_penalty) trial.ridge_penalty = member.fit.ridge_penalty;
    ++trial.count;
    if (!trial.first) trial.first = members().size();
    members().push_back(std::move(member));
    LearningCurvePoint point{.layers = Size(), .train_nll = std::nullopt, .valid_nll = std::nullopt};
    if (judge_.has_rows()) {
      point.valid_nll = -MixtureScore(Scores(), Weights(kCurveSteps), judge_.row_weights());
    }
    grown_.curve.push_back(point);
    listener_({.refit = false,
               .step = FitStep::kMember,
               .point = point,
               .of = options_.members,
               .note = std::string(trial.kind->name)});
  }

  MemberScores Scores() const {
    MemberScores scores;
    for (const JudgedMember& member : members()) scores.push_back(member.scores);
    return scores;
  }

  std::vector<double> Weights(int steps) const {
    return FitWeights(Scores(), GroupsOf(members()), judge_.row_weights(), steps);
  }

  // Beside the members.
  double WeightOf(const JudgedLatent& model) const {
    MemberScores scores = Scores();
    scores.push_back(model.scores);
    std::vector<std::size_t> groups = GroupsOf(members());
    groups.push_back(groups.size());
    return FitWeights(scores, groups, judge_.row_weights(), kWeightSteps).back();
  }

  // A kind's share of the members is its weight in the mixture of those that were tried.
  void ShareOut() {
    const std::vector<double> weights = Weights(kWeightSteps);
    double total = 0;
    for (Trial& trial : trials_) {
      for (std::size_t m = 0; m < weights.size(); ++m) {
        if (members()[m].choice.kind == trial.kind) trial.share += weights[m];
      }
      if (trial.share < kLeastShare / static_cast<double>(trials_.size())) trial.share = 0;
      total += trial.share;
    }
    for (Trial& trial : trials_) {
      trial.share /= total;
      if (trial.first && trials_.size() > 1) {
        growth_.Say(std::string(trial.kind->name) + ": " + Fixed(-growth_.MeanOf(members()[*trial.first].scores)) +
                    " nats per row; its share of the members: " + Fixed(trial.share));
      }
    }
  }

  // Adds a member of the kind that is furthest below its share. False if none is wanted or affordable.
  bool AddMember() {
    Trial* next = nullptr;
    double most = -1e300;
    for (Trial& trial : trials_) {
      const double lack = trial.share * (Size() + 1) - trial.count;
      if (trial.share > 0 && lack > most) {
        most = lack;
        next = &trial;
      }
    }
    if (next == nullptr || !growth_.budget().Affords(next->work)) return false;
    Add(*next, judge_.Learn(growth_.Choose(*next), {}));
    return true;
  }

  Growth growth_;
  const Judge& judge_;
  const ForestOptions& options_;
  const FlowListener& listener_;
  int most_ = 0;  // members
  std::vector<Trial> trials_;
  GrownForest grown_;
};

}  // namespace

std::vector<std::size_t> GroupsOf(const std::vector<JudgedMember>& members) {
  const auto are_alike = [](const MemberChoice& a, const MemberChoice& b) {
    return a.kind == b.kind && !a.networks && !b.networks && a.is_order_drawn == b.is_order_drawn &&
           (a.is_order_drawn || a.order == b.order);
  };
  std::vector<std::size_t> groups;
  for (std::size_t m = 0; m < members.size(); ++m) {
    std::size_t first = 0;
    while (first < m && !are_alike(members[first].choice, members[m].choice)) ++first;
    groups.push_back(first);
  }
  return groups;
}

GrownForest GrowForest(const WeightedRows& rows, const Judge& judge, const ForestOptions& options, const Budget& budget,
                       const FlowListener& listener) {
  return Forest(rows, judge, options, budget, listener).Grow();
}

}  // namespace dtf
