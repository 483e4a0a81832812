#include "learn/forest/try_others.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "base/logarithm.h"

namespace dtf {
namespace {

// Of the work, for finding one network.
constexpr double kNetworkShare = 0.02;
// Latent class models tried.
constexpr ClassOptions kClassModels[] = {
    {.classes = 4, .prior_rows = 1},
    {.classes = 8, .prior_rows = 0.3},
    {.classes = 8, .prior_rows = 3},
    {.classes = 16, .prior_rows = 1},
};

// 3, 0.3
std::string Short(double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%g", value);
  return buffer;
}

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

bool WantsClasses(const Growth& growth) {
  return growth.is_free() && growth.judge().cross_validates() && growth.options().conditional_base &&
         growth.columns() > 1;
}

std::vector<JudgedClasses> TryClasses(Growth& growth) {
  std::vector<JudgedClasses> tried;
  for (const ClassOptions& classes : kClassModels) {
    tried.push_back(growth.judge().LearnClasses(classes, growth.options().seed));
    growth.Say(std::to_string(classes.classes) + " latent classes, each with " + Short(classes.prior_rows) +
               " rows of the whole table: " + Fixed(-growth.MeanOf(tried.back().scores)) + " nats per row");
  }
  return tried;
}

}  // namespace dtf
