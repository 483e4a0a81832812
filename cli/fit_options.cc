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
constexpr int kMostMembers = 1000;

std::string CheckLayers(const std::string& word) {
  const bool is_number = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
  if (word == "auto" || (is_number && word.size() < 8 && std::stoi(word) <= kMostLayers)) return {};
  return "`" + word + "` is neither auto nor a whole number from 0 to " + std::to_string(kMostLayers);
}

void AddFamily(CLI::App& app, FitOptions* options, const std::string& group) {
  AddChoice(app, "--model", &options->model, {"auto", "tsp", "autoregressive"},
            "tsp: layers of tree-structured permutations (the paper's); autoregressive: one column after the other; "
            "auto: tsp if an option of its own is given, else autoregressive")
      ->group(group);
  AddOptionalChoice(
      app, "--base", &options->base, {"independent", "conditional"},
      "distribution of the latent columns; conditional: given the columns before (tsp: given the last tree's leaf)")
      ->default_str("independent for tsp, conditional for autoregressive")
      ->group(group);
  AddOptional(app, "--alpha", &options->alpha, 0.0, kMost, "A",
              "rows added to each count: a category's, or a value's never seen")
      ->default_str("0.01 for tsp, 0.5 for autoregressive")
      ->group(group);
  AddOnOff(app, "closed", &options->closed, "keep no probability for values never seen; they become errors")
      ->group(group);
}

void AddTspOptions(CLI::App& app, FitOptions* options, const std::string& group) {
  AddOptionalChoice(app, "--criterion", &options->criterion, {"glp", "glp-code", "glp-aligned", "random"},
                    "how splits are chosen")
      ->default_str("glp-aligned")
      ->group(group);
  AddOptional<std::uint64_t>(app, "--split-values", &options->split_values, 1,
                             std::numeric_limits<std::uint64_t>::max(), "N",
                             "values that go left at a split, at most; found one by one (random: a random set)")
      ->default_str("1")
      ->group(group);
  AddOptional(app, "--layers", &options->layers, "N|auto", "trees, one after the other; auto: as held-out rows bear")
      ->check(CLI::Validator(CheckLayers, "", ""))
      ->default_str("auto")
      ->group(group);
  AddOptional(app, "--max-depth", &options->max_depth, 0, kMostDepth, "M", "splits between root and leaf, at most")
      ->default_str("6")
      ->group(group);
  AddOptional(app, "--min-split", &options->min_split, 0.0, kMost, "N",
              "only nodes with more rows (weight) than N are split")
      ->default_str("20")
      ->group(group);
  AddOptional<std::uint64_t>(app, "--features-per-node", &options->features_per_node, 0,
                             std::numeric_limits<std::uint64_t>::max(), "F", "columns drawn for each split; 0: all")
      ->default_str("0")
      ->group(group);
}

void AddAutoregressiveOptions(CLI::App& app, FitOptions* options, const std::string& group) {
  AddOptionalChoice(app, "--conditioner", &options->conditioner, {"tree", "linear", "boosted", "auto"},
                    "how a column is learnt from those before it; auto: as held-out rows bear")
      ->default_str("auto")
      ->group(group);
  AddOptional(app, "--order", &options->order, "natural|random|COL,COL,...",
              "of the columns; else as held-out rows bear")
      ->group(group);
  AddOptional(app, "--members", &options->members, 1, kMostMembers, "K",
              "flows that are mixed, of several kinds and orders; 1 is fastest")
      ->default_str("up to 12")
      ->group(group);
  AddOptional(app, "--time", &options->time, 0.0, kMost, "SECONDS",
              "no member is begun that would take the fit beyond; the same members again: --members")
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
              "part of the rows held out, to choose by")
      ->default_str("0.1 if there is something to choose")
      ->group(group);
  AddOnOff(app, "refit", &options->refit, "learn the final model from all rows, held-out ones included")->group(group);
}

}  // namespace

void AddFitOptions(CLI::App& app, FitOptions* options) {
  const std::string group = "Fitting";
  AddFamily(app, options, group);
  AddColumnOptions(app, options, group);
  AddHeldOutOptions(app, options, group);
  AddSeed(app, &options->seed, "of all random choices")->group(group);
  AddThreads(app, &options->threads)->group(group);
  AddTspOptions(app, options, "Fitting --model tsp");
  AddAutoregressiveOptions(app, options, "Fitting --model autoregressive");
}

}  // namespace dtf::cli
