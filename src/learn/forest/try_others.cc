#include "learn/forest/try_others.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "base/logarithm.h"

namespace dtf {
namespace {

// Of the work, for finding one network; and for all latent class models.
constexpr double kNetworkShare = 0.02;
constexpr double kClassShare = 0.3;
// One that has seen enough of a table soon, and one that learns what it can.
constexpr ClassOptions kClassModels[] = {{.passes = 80, .number = 0}, {.passes = 160, .number = 1}};
// Fewer of the passes, when there is no more work to be had, but not so few.
constexpr double kLeastOfPasses = 0.25;

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
  std::vector<ClassOptions> models(std::begin(kClassModels), std::end(kClassModels));
  const double work = growth.judge().WorkOfClasses(models);
  const double passes = std::min(1.0, kClassShare * growth.budget().total() / work);
  if (passes < kLeastOfPasses) return {};
  for (ClassOptions& model : models) model.passes *= passes;
  std::vector<JudgedClasses> tried = growth.judge().LearnClasses(models, growth.options().seed);
  growth.budget().Use(passes * work);
  for (std::size_t m = 0; m < models.size(); ++m) {
    growth.Say(std::to_string(models[m].classes) + " latent classes, by " +
               std::to_string(std::lround(models[m].passes)) + " passes: " + Fixed(-growth.MeanOf(tried[m].scores)) +
               " nats per row");
  }
  return tried;
}

}  // namespace dtf
