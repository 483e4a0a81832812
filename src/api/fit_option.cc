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
       "tsp: layers of tree-structured permutations, as in the paper; autoregressive: each column is predicted from "
       "those before it; auto: tsp if an option for tsp alone is given, else autoregressive",
       "auto",
       &O::model,
       {"auto", "tsp", "autoregressive"}},
      {"base",
       kFitting,
       "",
       "distribution of the latent columns; independent: each on its own; conditional: each given the columns before "
       "it (tsp: given the last tree's leaf)",
       "independent for tsp, conditional for autoregressive",
       &O::base,
       {"independent", "conditional"}},
      {"alpha",
       kFitting,
       "A",
       "pseudo-count in rows, 0 or more, of a value never seen, and of each category of an independent base",
       "0.01 for tsp, 0.5 for autoregressive",
       &O::alpha,
       {},
       {{0, kMostAlpha}}},
      {"closed", kFitting, "", "keep no probability for values never seen; they are errors then", "off", &O::closed},
      {"bins", kFitting, "COL=K[:quantile|:width]",
       "cut the numeric column COL into K bins, 2 to 100000: of about equal weight (quantile, if neither is given), or "
       "of equal width",
       "several allowed", &O::bins},
      {"ordered", kFitting, "COL", "take the categories of the column COL as ordered: numbers by value, texts by bytes",
       "several allowed", &O::ordered},
      {"weights", kFitting, "COL",
       "the column COL tells how often each row counts; it is no column of the model, and weights the means of later "
       "tables that have it",
       "each row once", &O::weights},
      {"allow-unique", kFitting, "",
       "take columns of over 1000 values that are more than half as many as the rows, such as ids", "off",
       &O::allow_unique},
      {"valid-fraction",
       kFitting,
       "F",
       "share of the rows, 0 to 0.999, that is held out to choose by",
       "0.1 if there is something to choose",
       &O::valid_fraction,
       {},
       {{0, 0.999}}},
      {"refit", kFitting, "", "learn the final model again from all rows, held-out ones included", "on", &O::refit},
      {"seed", kFitting, "S", "seed of all random choices, 0 to 2^64 - 1", "0", &O::seed, {}, {{0, kAnyInteger}}},
      {"threads",
       kFitting,
       "T",
       "number of threads, 4096 at most; no result depends on it",
       "0, all cores",
       &O::threads,
       {},
       {{0, 4096}}},
      {"criterion",
       kTsp,
       "",
       "how splits are chosen; glp: scored as in the paper's text; glp-code: as in its program; glp-aligned: against "
       "the whole layer; random: by chance",
       "glp-aligned",
       &O::criterion,
       {"glp", "glp-code", "glp-aligned", "random"}},
      {"split-values",
       kTsp,
       "N",
       "a split sends at most N values left, 1 or more, added one by one while the score rises (random: a random set)",
       "1",
       &O::split_values,
       {},
       {{1, kAnyInteger}}},
      {"layers",
       kTsp,
       "N|auto",
       "number of layers, of one tree each, 0 to 100000; auto: layers are added while held-out rows gain",
       "auto",
       &O::layers,
       {"auto"},
       {{0, 100'000}}},
      {"max-depth",
       kTsp,
       "M",
       "most splits on the way from the root to a leaf, 0 to 255",
       "6",
       &O::max_depth,
       {},
       {{0, kMaxTreeDepth}}},
      {"min-split",
       kTsp,
       "N",
       "a node is split only if its rows weigh more than N, 0 or more",
       "20",
       &O::min_split,
       {},
       {{0, kAnyNumber}}},
      {"features-per-node",
       kTsp,
       "F",
       "number of columns drawn at random as candidates for each split; 0: all are candidates",
       "0",
       &O::features_per_node,
       {},
       {{0, kAnyInteger}}},
      {"conditioner",
       kAutoregressive,
       "",
       "how each yes/no question about a column is learnt from the columns before it: by one averaged tree, a ridge "
       "regression or boosted trees; auto: by kinds that held-out rows choose",
       "auto",
       &O::conditioner,
       {"tree", "linear", "boosted", "auto"}},
      {"order", kAutoregressive, "natural|random|COL,COL,...",
       "order of the columns, each of which is predicted from those before it; natural: the table's; random: drawn for "
       "each flow; else all columns' names",
       "chosen by held-out rows", &O::order},
      {"members",
       kAutoregressive,
       "K",
       "learn K flows, 1 to 1000, for the mixture, without Bayesian networks and latent models; 1 is fastest",
       "up to 16, besides Bayesian networks and latent models; 1 with an independent base",
       &O::members,
       {},
       {{1, 1000}}},
      {"time",
       kAutoregressive,
       "SECONDS",
       "once kinds have been tried, add flows until SECONDS, 0 or more, have passed since learning began; --members "
       "with the number reached repeats the result",
       "no limit; the work is bounded by counting it",
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
