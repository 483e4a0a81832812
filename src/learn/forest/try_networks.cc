#include "learn/forest/try_networks.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/logarithm.h"
#include "learn/forest/screen_kinds.h"

namespace dtf {
namespace {

// Of the work, for finding one network.
constexpr double kNetworkShare = 0.02;

}  // namespace

bool WantsNetworks(Growth& growth) {
  return growth.is_free() && growth.options().order == OrderKind::kAuto && growth.columns() > 2 &&
         growth.columns() <= kMostNetworkColumns &&
         LeastNetworkWork(growth.rows(), growth.columns()) <= kNetworkShare * growth.budget().total();
}

// By the criteria of Akaike and of Schwarz; a column is learnt from its parents, or from all columns that the order of
// such a network has before it.
std::vector<JudgedMember> TryNetworks(Growth& growth, const Trial& best) {
  std::vector<JudgedMember> members;
  const double schwarz = 0.5 * std::max(Ln(growth.total_rows()), 0.0);
  for (const auto& [name, parameter_cost] : {std::pair{"Akaike", 1.0}, {"Schwarz", schwarz}}) {
    auto [networks, work] = growth.judge().FindNetworks({.parameter_cost = parameter_cost,
                                                         .most_work = kNetworkShare * growth.budget().total(),
                                                         .threads = growth.options().threads});
    growth.budget().Use(work);
    const auto add = [&](MemberChoice choice, bool of_parents, const std::string& what) {
      choice.order = ParentsFirst(networks->of_all);
      choice.networks = networks;
      choice.of_parents = of_parents;
      members.push_back(growth.judge().Learn(choice, {}));
      growth.budget().Use(members.back().fit.work);
      growth.Say(what + " (" + name + "): " + Fixed(-growth.MeanOf(members.back().scores)) + " nats per row");
    };
    add(growth.Choose(NetworkKind()), true, "Bayesian network");
    add(growth.Choose(NetworkKind()), false, "trees in the order of a network");
    if (growth.budget().Affords(best.work, kTrialShare)) {
      add(growth.Choose(best), false, std::string(best.kind->name) + " in the order of a network");
    }
  }
  return members;
}

}  // namespace dtf
