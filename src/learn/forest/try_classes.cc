#include "learn/forest/try_classes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>
#include <utility>
#include <variant>

namespace dtf {
namespace {

// 3, 0.3
std::string Short(double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%g", value);
  return buffer;
}

// Where rows are few: some with a handful of classes, and some smooth ones.
constexpr FewClassOptions kFewClasses[] = {
    {.classes = 4, .prior_rows = 1},
    {.classes = 8, .prior_rows = 0.3},
    {.classes = 8, .prior_rows = 3},
    {.classes = 16, .prior_rows = 1},
};
// Where they are many: with terms, so long that these can grow.
constexpr std::size_t kClassesWithTerms = 64;
constexpr double kLeastPasses = 20;
constexpr double kLeastRowsSeen = 200'000;

// In the order of the columns that the members have, or one of its own.
SmoothClassOptions WithTerms(Growth& growth, double passes, double decay) {
  return {.classes = kClassesWithTerms, .passes = passes, .decay = decay, .number = 0, .order = growth.NextOrder()};
}

std::vector<SmoothClassOptions> SmoothClasses(Growth& growth) {
  std::vector<SmoothClassOptions> models;
  if (growth.judge().cross_validates()) {
    models = {{.passes = 80}, {.passes = 160}, WithTerms(growth, 80, 1)};
  } else {
    const double passes = std::max(kLeastPasses, kLeastRowsSeen / growth.total_rows());
    models = {WithTerms(growth, passes, 0), WithTerms(growth, passes, 0)};
  }
  for (std::size_t m = 0; m < models.size(); ++m) models[m].number = m;
  return models;
}

// Of the work that the members took, for smooth classes: where rows are few, and where they are many. One thread learns
// a model: no more than seconds.
constexpr double kShareOfFewRows = 1;
constexpr double kShareOfManyRows = 0.25;
constexpr double kMostClassWork = 1e10;
// Of the passes, when there is no more work to be had, at least so many.
constexpr double kLeastOfPasses = 0.25;
// A function of the classes has nothing to learn from fewer rows, and with more categories the classes, and terms for
// pairs of them, take too much memory.
constexpr double kLeastRows = 32;
constexpr std::size_t kMostCategories = 2048;

bool WantsSmoothClasses(const Growth& growth) {
  std::size_t categories = 0;
  for (const Code size : growth.judge().sizes()) categories += size;
  return std::min(static_cast<double>(growth.rows()), growth.total_rows()) >= kLeastRows &&
         categories <= kMostCategories;
}

std::vector<ClassOptions> ClassModels(Growth& growth) {
  const bool few_rows = growth.judge().cross_validates();
  std::vector<ClassOptions> models;
  if (few_rows) std::ranges::copy(kFewClasses, std::back_inserter(models));
  if (!WantsSmoothClasses(growth)) return models;
  const auto found = SmoothClasses(growth);
  const std::vector<ClassOptions> smooth(found.begin(), found.end());
  const double share = few_rows ? kShareOfFewRows : kShareOfManyRows;
  const double most = std::min(kMostClassWork, share * growth.budget().used());
  const double affordable = std::min(1.0, most / growth.judge().WorkOfClasses(smooth));
  if (affordable < kLeastOfPasses) return models;
  for (ClassOptions model : smooth) {
    std::get<SmoothClassOptions>(model).passes *= affordable;
    models.push_back(std::move(model));
  }
  return models;
}

// What a model is, in a line of what was tried.
std::string Describe(const ClassOptions& model) {
  if (const auto* few = std::get_if<FewClassOptions>(&model)) {
    return std::to_string(few->classes) + " latent classes, each with " + Short(few->prior_rows) +
           " rows of the whole table";
  }
  const auto& smooth = std::get<SmoothClassOptions>(model);
  return std::to_string(smooth.classes) + " latent classes, points of a smooth function" +
         (smooth.order.empty() ? "" : ", with terms for the columns before") + ", learnt in " +
         std::to_string(std::lround(smooth.passes)) + " passes over the rows";
}

}  // namespace

bool WantsClasses(const Growth& growth) {
  return growth.is_free() && growth.judge().has_rows() && growth.options().conditional_base && growth.columns() > 1;
}

std::vector<JudgedClasses> TryClasses(Growth& growth) {
  const std::vector<ClassOptions> models = ClassModels(growth);
  std::vector<JudgedClasses> tried = growth.judge().LearnClasses(models, growth.options().seed);
  growth.budget().Use(growth.judge().WorkOfClasses(models));
  for (const JudgedClasses& classes : tried) {
    growth.Say(Describe(classes.options) + ": " + Fixed(-growth.MeanOf(classes.scores)) + " nats per row");
  }
  return tried;
}

}  // namespace dtf
