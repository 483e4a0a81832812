#include "fit_options.h"

#include <cstdint>
#include <limits>
#include <string>

#include "options.h"

namespace dtf::cli {
namespace {

constexpr double kMost = std::numeric_limits<double>::max();
constexpr int kMostLayers = 100'000;
constexpr int kMostDepth = 255;

std::string CheckLayers(const std::string& word) {
  const bool is_number = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
  if (word == "auto" || (is_number && word.size() < 8 && std::stoi(word) <= kMostLayers)) return {};
  return "`" + word + "` is neither auto nor a whole number from 0 to " + std::to_string(kMostLayers);
}

void AddFamily(CLI::App& app, FitArguments* arguments, const std::string& group) {
  AddChoice(app, "--model", &arguments->model, {"tsp"}, "layers of tree-structured permutations")->group(group);
  AddChoice(app, "--base", &arguments->base, {"independent"}, "distribution of the latent columns")->group(group);
}

void AddTreeOptions(CLI::App& app, FitOptions* options, const std::string& group) {
  AddChoice(app, "--criterion", &options->criterion, {"glp", "glp-code", "glp-aligned", "random"},
            "how splits are chosen")
      ->group(group);
  AddText(app, "--layers", &options->layers, "N|auto", "trees, one after the other; auto: as held-out rows bear")
      ->check(CLI::Validator(CheckLayers, "", ""))
      ->group(group);
  AddNumber(app, "--max-depth", &options->max_depth, 0, kMostDepth, "M", "splits between root and leaf, at most")
      ->group(group);
  AddNumber(app, "--min-split", &options->min_split, 0.0, kMost, "N",
            "only nodes with more rows (weight) than N are split")
      ->group(group);
  AddNumber<std::uint64_t>(app, "--features-per-node", &options->features_per_node, 0,
                           std::numeric_limits<std::uint64_t>::max(), "F", "columns drawn for each split; 0: all")
      ->group(group);
}

void AddDistributionOptions(CLI::App& app, FitOptions* options, const std::string& group) {
  AddNumber(app, "--alpha", &options->alpha, 0.0, kMost, "A", "rows added to each category's count")->group(group);
  AddOnOff(app, "closed", &options->closed, "keep no probability for values never seen; they become errors")
      ->group(group);
}

void AddColumnOptions(CLI::App& app, FitOptions* options, const std::string& group) {
  AddTexts(app, "--bins", &options->bins, "COL=K[:quantile|:width]", "cut a numeric column into K bins")->group(group);
  AddTexts(app, "--ordered", &options->ordered, "COL", "the column's categories are in order")->group(group);
  AddOptional(app, "--weights", &options->weights, "COL", "this column tells how often each row counts")
      ->default_str("each row once")
      ->group(group);
  AddOnOff(app, "allow-unique", &options->allow_unique, "take columns of mostly unique values")->group(group);
}

void AddHeldOutOptions(CLI::App& app, FitOptions* options, const std::string& group) {
  AddOptional(app, "--valid-fraction", &options->valid_fraction, 0.0, 0.999, "F",
              "part of the rows held out, to choose the layers by")
      ->default_str("0.1 if --layers auto")
      ->group(group);
  AddOnOff(app, "refit", &options->refit, "learn the final model from all rows, held-out ones included")->group(group);
}

}  // namespace

void AddFitOptions(CLI::App& app, FitArguments* arguments) {
  const std::string group = "Fitting";
  FitOptions* options = &arguments->options;
  AddFamily(app, arguments, group);
  AddTreeOptions(app, options, group);
  AddDistributionOptions(app, options, group);
  AddColumnOptions(app, options, group);
  AddHeldOutOptions(app, options, group);
  AddSeed(app, &options->seed, "of all random choices")->group(group);
  AddThreads(app, &options->threads)->group(group);
}

}  // namespace dtf::cli
