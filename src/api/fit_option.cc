#include "dtf/fit_option.h"

#include <limits>

#include "tree/tsp.h"

namespace dtf {
namespace {

constexpr char kFitting[] = "Fitting";
constexpr char kTsp[] = "Fitting --model tsp";
constexpr char kAutoregressive[] = "Fitting --model autoregressive";
constexpr double kMostAlpha = 1e100;
constexpr double kAnyNumber = std::numeric_limits<double>::max();
constexpr auto kAnyInteger = static_cast<double>(std::numeric_limits<std::uint64_t>::max());

using O = FitOptions;

std::vector<FitOption> MakeTable() {
  return {
      {"model",
       kFitting,
       "",
       "tsp: layers of tree-structured permutations (the paper's); autoregressive: one column after the other; "
       "auto: tsp if an option of its own is given, else autoregressive",
       "auto",
       &O::model,
       {"auto", "tsp", "autoregressive"}},
      {"base",
       kFitting,
       "",
       "distribution of the latent columns; conditional: given the columns before (tsp: given the last tree's leaf)",
       "independent for tsp, conditional for autoregressive",
       &O::base,
       {"independent", "conditional"}},
      {"alpha",
       kFitting,
       "A",
       "rows added to each count: a category's, or a value's never seen",
       "0.01 for tsp, 0.5 for autoregressive",
       &O::alpha,
       {},
       {{0, kMostAlpha}}},
      {"closed", kFitting, "", "keep no probability for values never seen; they become errors", "off", &O::closed},
      {"bins", kFitting, "COL=K[:quantile|:width]", "cut a numeric column into K bins", "several allowed", &O::bins},
      {"ordered", kFitting, "COL", "the column's categories are in order", "several allowed", &O::ordered},
      {"weights", kFitting, "COL",
       "this column tells how often each row counts, in the mean of a later table that has it, too", "each row once",
       &O::weights},
      {"allow-unique", kFitting, "", "take columns of mostly unique values", "off", &O::allow_unique},
      {"valid-fraction",
       kFitting,
       "F",
       "part of the rows held out, to choose by",
       "0.1 if there is something to choose",
       &O::valid_fraction,
       {},
       {{0, 0.999}}},
      {"refit", kFitting, "", "learn the final model from all rows, held-out ones included", "on", &O::refit},
      {"seed", kFitting, "S", "of all random choices", "0", &O::seed, {}, {{0, kAnyInteger}}},
      {"threads", kFitting, "T", "threads; no result depends on them", "0, all cores", &O::threads, {}, {{0, 4096}}},
      {"criterion",
       kTsp,
       "",
       "how splits are chosen",
       "glp-aligned",
       &O::criterion,
       {"glp", "glp-code", "glp-aligned", "random"}},
      {"split-values",
       kTsp,
       "N",
       "values that go left at a split, at most; found one by one (random: a random set)",
       "1",
       &O::split_values,
       {},
       {{1, kAnyInteger}}},
      {"layers",
       kTsp,
       "N|auto",
       "trees, one after the other; auto: as held-out rows bear",
       "auto",
       &O::layers,
       {"auto"},
       {{0, 100'000}}},
      {"max-depth", kTsp, "M", "splits between root and leaf, at most", "6", &O::max_depth, {}, {{0, kMaxTreeDepth}}},
      {"min-split",
       kTsp,
       "N",
       "only nodes with more rows (weight) than N are split",
       "20",
       &O::min_split,
       {},
       {{0, kAnyNumber}}},
      {"features-per-node",
       kTsp,
       "F",
       "columns drawn for each split; 0: all",
       "0",
       &O::features_per_node,
       {},
       {{0, kAnyInteger}}},
      {"conditioner",
       kAutoregressive,
       "",
       "how a column is learnt from those before it; auto: as held-out rows bear",
       "auto",
       &O::conditioner,
       {"tree", "linear", "boosted", "auto"}},
      {"order", kAutoregressive, "natural|random|COL,COL,...", "of the columns; else as held-out rows bear", "",
       &O::order},
      {"members",
       kAutoregressive,
       "K",
       "how many flows are mixed, their kinds and orders as held-out rows bear; 1 is fastest",
       "up to 24, not counting Bayesian networks and latent classes; 1 with an independent base",
       &O::members,
       {},
       {{1, 1000}}},
      {"time",
       kAutoregressive,
       "SECONDS",
       "once kinds have been tried, add members for so long at most; --members with the number reached repeats the "
       "result",
       "",
       &O::time,
       {},
       {{0, kAnyNumber}}},
  };
}

}  // namespace

std::span<const FitOption> FitOptionTable() {
  static const std::vector<FitOption> table = MakeTable();
  return table;
}

}  // namespace dtf
