#include "learn/forest/try_others.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "base/logarithm.h"

namespace dtf {
namespace {

// Of the work, for finding one network.
constexpr double kNetworkShare = 0.02;

// Latent class models of few rows: one soon knows enough, and one learns all it can. Of the work, for all of them.
constexpr ClassOptions kModelsOfFewRows[] = {{.passes = 80, .number = 0}, {.passes = 160, .number = 1}};
constexpr double kClassShare = 0.3;
// Of many rows. One thread learns it: of the work that the members took, and no more than seconds.
constexpr ClassOptions kModelsOfManyRows[] = {{.passes = 40, .decay = 0.3}};
constexpr double kClassShareOfMembers = 0.1;
constexpr double kMostClassWork = 5e9;
// Of the passes, when there is no more work to be had, at least so many.
constexpr double kLeastOfPasses = 0.25;

std::vector<ClassOptions> ClassModels(Growth& growth) {
  const bool few_rows = growth.judge().cross_validates();
  std::vector<ClassOptions> models;
  std::ranges::copy(few_rows ? std::span<const ClassOptions>(kModelsOfFewRows) : kModelsOfManyRows,
                    std::back_inserter(models));
  const double most = few_rows ? kClassShare * growth.budget().total()
                               : std::min(kMostClassWork, kClassShareOfMembers * growth.budget().used());
  const double affordable = std::min(1.0, most / growth.judge().WorkOfClasses(models));
  if (affordable < kLeastOfPasses) return {};
  for (ClassOptions& model : models) model.passes *= affordable;
  return models;
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
  return growth.is_free() && growth.judge().has_rows() && growth.options().conditional_base && growth.columns() > 1;
}

std::vector<JudgedClasses> TryClasses(Growth& growth) {
  const std::vector<ClassOptions> models = ClassModels(growth);
  std::vector<JudgedClasses> tried = growth.judge().LearnClasses(models, growth.options().seed);
  growth.budget().Use(growth.judge().WorkOfClasses(models));
  for (std::size_t m = 0; m < models.size(); ++m) {
    growth.Say(std::to_string(models[m].classes) + " latent classes, by " +
               std::to_string(std::lround(models[m].passes)) + " passes: " + Fixed(-growth.MeanOf(tried[m].scores)) +
               " nats per row");
  }
  return tried;
}

}  // namespace dtf
