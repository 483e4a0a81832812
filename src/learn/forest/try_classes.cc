#include "learn/forest/try_classes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>
#include <variant>

namespace dtf {
namespace {

// 3, 0.3
std::string Short(double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%g", value);
  return buffer;
}

// Latent class models tried where rows are few. Of smooth classes one model soon knows enough, and one learns all it
// can.
constexpr FewClassOptions kFewClasses[] = {
    {.classes = 4, .prior_rows = 1},
    {.classes = 8, .prior_rows = 0.3},
    {.classes = 8, .prior_rows = 3},
    {.classes = 16, .prior_rows = 1},
};
constexpr SmoothClassOptions kSmoothClasses[] = {{.passes = 80, .number = 0}, {.passes = 160, .number = 1}};
// Where rows are many.
constexpr SmoothClassOptions kSmoothClassesOfManyRows[] = {{.passes = 40, .decay = 0.3}};

// Of the work that the members took, for smooth classes: where rows are few, and where they are many. One thread learns
// a model: no more than seconds.
constexpr double kShareOfFewRows = 1;
constexpr double kShareOfManyRows = 0.1;
constexpr double kMostClassWork = 5e9;
// Of the passes, when there is no more work to be had, at least so many.
constexpr double kLeastOfPasses = 0.25;
// A function of the classes has nothing to learn from fewer rows, and with more shares the classes take too much
// memory.
constexpr double kLeastRows = 32;
constexpr std::size_t kMostShares = std::size_t{1} << 18;

bool WantsSmoothClasses(const Growth& growth) {
  std::size_t categories = 0;
  for (const Code size : growth.judge().sizes()) categories += size;
  return std::min(static_cast<double>(growth.rows()), growth.total_rows()) >= kLeastRows &&
         categories * SmoothClassOptions().classes <= kMostShares;
}

std::vector<ClassOptions> ClassModels(Growth& growth) {
  const bool few_rows = growth.judge().cross_validates();
  std::vector<ClassOptions> models;
  if (few_rows) std::ranges::copy(kFewClasses, std::back_inserter(models));
  if (!WantsSmoothClasses(growth)) return models;
  std::vector<ClassOptions> smooth;
  if (few_rows) {
    std::ranges::copy(kSmoothClasses, std::back_inserter(smooth));
  } else {
    std::ranges::copy(kSmoothClassesOfManyRows, std::back_inserter(smooth));
  }
  const double share = few_rows ? kShareOfFewRows : kShareOfManyRows;
  const double most = std::min(kMostClassWork, share * growth.budget().used());
  const double affordable = std::min(1.0, most / growth.judge().WorkOfClasses(smooth));
  if (affordable < kLeastOfPasses) return models;
  for (ClassOptions& model : smooth) {
    std::get<SmoothClassOptions>(model).passes *= affordable;
    models.push_back(model);
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
  return std::to_string(smooth.classes) + " latent classes, points of a smooth function learnt in " +
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
