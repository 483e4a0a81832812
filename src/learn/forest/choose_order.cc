#include "learn/forest/choose_order.h"

#include <algorithm>
#include <optional>
#include <string>

#include "learn/forest/mixture_weights.h"

namespace dtf {
namespace {

// Orders tried before one is settled on, and the share of the work for all but the first two of them.
constexpr int kOrderTries = 4;
constexpr const char* kOrderNames[kOrderTries] = {"the table's order", "reverse order", "an order drawn",
                                                  "an order drawn"};
constexpr double kOrderShare = 0.1;

// In the table's order; in the reverse one, which predicts last what tables often begin with, a class; and in drawn
// ones. How many does not depend on the number of members, so that a larger forest begins with the same members.
std::vector<JudgedMember> TryOrders(Growth& growth, Trial& trial,
                                    const std::function<void(const std::string&)>& begin) {
  const auto tell = [&](int k) { begin(std::string("trying columns in ") + kOrderNames[k]); };
  Budget& budget = growth.budget();
  std::vector<JudgedMember> tries;
  tell(0);
  tries.push_back(trial.member ? TakeMember(trial, budget) : growth.judge().Learn(growth.Choose(trial), {}));
  budget.Use(tries[0].fit.work);
  trial.work = tries[0].fit.work;
  const std::vector<Feature> natural = *growth.order();
  for (int k = 1; k < kOrderTries && budget.Affords(trial.work, k == 1 ? 1 : kOrderShare); ++k) {
    tell(k);
    growth.set_order(k == 1 ? std::optional(growth.Arrange({natural.rbegin(), natural.rend()})) : std::nullopt);
    tries.push_back(growth.judge().Learn(growth.Choose(trial), {}));
    budget.Use(tries.back().fit.work);
  }
  growth.set_order(natural);
  if (budget.is_out_of_time()) tries.resize(1);
  return tries;
}

}  // namespace

std::vector<JudgedMember> ChooseOrder(Growth& growth, Trial& trial,
                                      const std::function<void(const std::string&)>& begin) {
  std::vector<JudgedMember> tries = TryOrders(growth, trial, begin);
  MemberScores scores;
  std::size_t best = 0;
  for (std::size_t k = 0; k < tries.size(); ++k) {
    scores.push_back(tries[k].scores);
    if (growth.MeanOf(scores[k]) > growth.MeanOf(scores[best])) best = k;
  }
  const double gain =
      ExtrapolatedScore(scores, growth.judge().row_weights(), kMostMembers) - growth.MeanOf(scores[best]);
  if (tries.size() > 1 && gain > 0) {
    growth.set_order(std::nullopt);
    growth.Say("columns in random orders: mixed they are better than any alone");
    return tries;
  }
  growth.set_order(tries[best].choice.order);
  growth.Say(std::string("columns in ") + kOrderNames[best] +
             (gain < 0 ? ": mixed with others it would be worse by " + Fixed(-gain) + " nats per row" : ""));
  std::erase_if(tries, [&](const JudgedMember& member) { return member.choice.order != *growth.order(); });
  for (JudgedMember& member : tries) member.choice.is_order_drawn = false;  // all to come have it
  return tries;
}

}  // namespace dtf
