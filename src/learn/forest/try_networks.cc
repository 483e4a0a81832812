#include "learn/forest/try_networks.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/logarithm.h"

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
std::vector<JudgedMember> TryNetworks(Growth& growth) {
  std::vector<JudgedMember> members;
  const double schwarz = 0.5 * std::max(Ln(growth.total_rows()), 0.0);
  for (const auto& [name, parameter_cost] : {std::pair{"Akaike", 1.0}, {"Schwarz", schwarz}}) {
    auto [networks, work] = growth.judge().FindNetworks({.parameter_cost = parameter_cost,
                                                         .most_work = kNetworkShare * growth.budget().total(),
                                                         .threads = growth.options().threads});
    growth.budget().Use(work);
    for (const bool of_parents : {true, false}) {
      MemberChoice choice = growth.Choose(NetworkKind());
      choice.order = ParentsFirst(networks->of_all);
      choice.networks = networks;
      choice.of_parents = of_parents;
      members.push_back(growth.judge().Learn(choice, {}));
      growth.budget().Use(members.back().fit.work);
      growth.Say(std::string(of_parents ? "Bayesian network" : "trees in the order of a network") + " (" + name +
                 "): " + Fixed(-growth.MeanOf(members.back().scores)) + " nats per row");
    }
  }
  return members;
}

}  // namespace dtf
