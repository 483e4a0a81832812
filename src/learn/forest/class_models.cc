#include "learn/forest/class_models.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <span>
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

// Limits of the work of all models of a kind together: a share of the work used so far, and an absolute one of some
// seconds, as one thread learns a model. Models whose work is above make fewer passes; if these would be below
// kLeastOfPasses of those wanted, there are no such models.
struct Limits {
  double share = 0;
  double most_work = 0;
};
constexpr double kLeastOfPasses = 0.25;

// Of a TermClassOptions; each model has a number and an order of its own.
struct TermSettings {
  double passes = 0;
  double decay = 0;
  double penalty = 0;
};

// Models where the table is small (Judge::CrossValidates).
constexpr FewClassOptions kFewClasses[] = {
    {.classes = 4, .prior_rows = 1},
    {.classes = 8, .prior_rows = 0.3},
    {.classes = 8, .prior_rows = 3},
    {.classes = 16, .prior_rows = 1},
};
// Of smooth classes one model soon knows enough, and one learns all it can.
constexpr SmoothClassOptions kSmoothClasses[] = {{.passes = 80, .number = 0}, {.passes = 160, .number = 1}};
constexpr Limits kSmoothLimits = {.share = 1, .most_work = 5e9};
constexpr TermSettings kTermClasses[] = {{.passes = 80, .decay = 1, .penalty = 3}};
constexpr Limits kTermLimits = {.share = 0.5, .most_work = 5e9};
// Models where it is not.
constexpr SmoothClassOptions kSmoothClassesOfManyRows[] = {{.passes = 40, .decay = 0.3}};
constexpr Limits kSmoothLimitsOfManyRows = {.share = 0.1, .most_work = 5e9};
// Two penalties, as tables differ in which one suits them, and as different models err differently.
constexpr TermSettings kTermClassesOfManyRows[] = {{.passes = 20, .decay = 0, .penalty = 3},
                                                   {.passes = 20, .decay = 0.2, .penalty = 6}};
constexpr Limits kTermLimitsOfManyRows = {.share = 0.25, .most_work = 1e10};

// Smooth classes and classes with terms are not learnt from fewer rows, nor with more categories in all columns, as
// they and terms for pairs of categories would take too much memory.
constexpr double kLeastRows = 32;
constexpr std::size_t kMostCategories = 2048;

bool WantsFunctions(const Growth& growth) {
  return std::min(static_cast<double>(growth.rows()), growth.total_rows()) >= kLeastRows &&
         growth.categories() <= kMostCategories;
}

template <typename Options>
void AddWithin(const Limits& limits, std::vector<Options> wanted, Growth& growth, std::vector<LatentOptions>& models) {
  const double work = growth.judge().WorkOfLatents(std::vector<LatentOptions>(wanted.begin(), wanted.end()));
  const double affordable = std::min(1.0, std::min(limits.most_work, limits.share * growth.budget().used()) / work);
  if (affordable < kLeastOfPasses) return;
  for (Options& options : wanted) {
    options.passes *= affordable;
    models.emplace_back(std::move(options));
  }
}

void AddTermClassesWithin(const Limits& limits, std::span<const TermSettings> all_settings, Growth& growth,
                          std::vector<LatentOptions>& models) {
  std::vector<TermClassOptions> wanted;
  for (const TermSettings& settings : all_settings) {
    wanted.push_back({.passes = settings.passes,
                      .decay = settings.decay,
                      .penalty = settings.penalty,
                      .number = wanted.size(),
                      .order = growth.NextOrder()});
  }
  AddWithin(limits, std::move(wanted), growth, models);
}

}  // namespace

std::vector<LatentOptions> ClassModels(Growth& growth) {
  std::vector<LatentOptions> models;
  const bool few_rows = growth.judge().cross_validates();
  if (few_rows) models.assign(std::begin(kFewClasses), std::end(kFewClasses));
  if (!WantsFunctions(growth)) return models;
  if (few_rows) {
    AddWithin<SmoothClassOptions>(kSmoothLimits, {std::begin(kSmoothClasses), std::end(kSmoothClasses)}, growth,
                                  models);
    AddTermClassesWithin(kTermLimits, kTermClasses, growth, models);
  } else {
    AddWithin<SmoothClassOptions>(kSmoothLimitsOfManyRows,
                                  {std::begin(kSmoothClassesOfManyRows), std::end(kSmoothClassesOfManyRows)}, growth,
                                  models);
    AddTermClassesWithin(kTermLimitsOfManyRows, kTermClassesOfManyRows, growth, models);
  }
  return models;
}

std::string Describe(const ClassOptions& model) {
  if (const auto* few = std::get_if<FewClassOptions>(&model)) {
    return std::to_string(few->classes) + " latent classes, each with " + Short(few->prior_rows) +
           " rows of the whole table";
  }
  const auto in_words = [](std::size_t classes, const std::string& what, double passes) {
    return std::to_string(classes) + " latent classes, points of a smooth function" + what + " learnt in " +
           std::to_string(std::lround(passes)) + " passes over the rows";
  };
  if (const auto* smooth = std::get_if<SmoothClassOptions>(&model)) {
    return in_words(smooth->classes, "", smooth->passes);
  }
  const auto& with_terms = std::get<TermClassOptions>(model);
  return in_words(with_terms.classes, ", and terms of all of them at a penalty of " + Short(with_terms.penalty) + ",",
                  with_terms.passes);
}

}  // namespace dtf
