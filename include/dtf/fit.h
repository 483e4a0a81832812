// Fitting a model to a table, and the paper's cross-validation.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "dtf/model.h"
#include "dtf/table.h"

namespace dtf {

// Options of a fit, by their names on the command line; FitOptionTable (dtf/fit_option.h) has the text that
// `dtf fit --help` prints of each. An option that is not set has the default of its model. Fit and Crossval throw
// Error(kUsage) for a value outside the range given here, and for options of both models at once.
struct FitOptions {
  // "tsp": layers of tree-structured permutations; "autoregressive": conditioners, one column after the other; "auto":
  // tsp if an option of its own is set, else autoregressive.
  std::string model = "auto";
  std::optional<std::string> base;  // "independent" or "conditional"

  // Of a tsp model.
  std::optional<std::string> criterion;            // "glp", "glp-code", "glp-aligned" or "random"
  std::optional<std::uint64_t> split_values;       // 1 or more: how many codes a split sends left, at most
  std::optional<std::string> layers;               // "auto" or a whole number from 0 to 100,000
  std::optional<int> max_depth;                    // 0 to 255: splits between the root and a leaf, at most
  std::optional<double> min_split;                 // 0 or more: only a node of a greater weight in rows is split
  std::optional<std::uint64_t> features_per_node;  // columns drawn for each split; 0: all

  // Of an autoregressive model.
  std::optional<std::string> conditioner;  // "tree", "linear", "boosted" or "auto"
  // "natural", "random", or the names of all columns separated by commas; a name that has a comma stands in quotes.
  std::optional<std::string> order;
  std::optional<int> members;  // 1 to 1,000
  std::optional<double> time;  // seconds, 0 or more

  // Pseudo-count in rows, 0 to 1e100: of a value never seen, and of each category of an independent base.
  std::optional<double> alpha;
  bool closed = false;                   // no probability for values never seen: they are errors
  std::optional<double> valid_fraction;  // share of the rows that is held out to choose by, 0 to 0.999
  bool refit = true;                     // learn the final model from all rows, held-out ones included
  bool allow_unique = false;             // take columns of over 1,000 values in less than twice as many rows
  std::vector<std::string> ordered;      // names of columns whose categories are in order
  std::vector<std::string> bins;         // "COL=K", "COL=K:quantile" (the same) or "COL=K:width"; K from 2 to 100,000
  std::optional<std::string> weights;    // name of the column that tells how often each row counts
  std::uint64_t seed = 0;
  int threads = 0;  // 0 to 4,096; 0: as many as there are cores
};

// What a fit tells of: a layer, or a member of an autoregressive model, that has been learnt; the beginning of a phase
// that gives neither at once; a warning. The warnings are told first; FitResult::warnings lists them, too.
enum class FitStep { kLayer, kMember, kPhase, kWarning };

struct FitProgress {
  bool refit = false;  // whether the step belongs to the final model, which is learnt again from all rows
  FitStep step = FitStep::kLayer;
  LearningCurvePoint point;   // after this layer or member; of a phase: the number before it, and no NLL
  std::optional<int> layers;  // how many layers or members there will be, if known
  std::string note;           // what kind of member it is, what a phase does, or the warning
  double seconds = 0;         // since learning began
};

// Called for each step on the thread that called Fit, which goes on when it returns. If it returns false, the fit ends
// with Error(kInterrupted); what it throws passes through Fit.
using FitListener = std::function<bool(const FitProgress&)>;

struct FitInputs {
  const NamedTable& train;
  const NamedTable* valid = nullptr;   // never learnt from; null: rows of `train` are held out where there is a choice
  const NamedTable* domain = nullptr;  // its values are known, too; implies FitOptions::closed
  // How often each row of `train` counts, one for each row: 0, or from 2^-17 up, 2^36 in all at most. Empty: once, or
  // as the column FitOptions::weights says.
  std::span<const double> row_weights = {};
  // Texts that mean missing, in these tables and in all that the model is given later. Markers for columns that the
  // model does not have are ignored.
  std::span<const MissingMarker> missing = {};
};

struct FitResult {
  Model model;
  double train_nll = 0;  // mean NLL of the rows that the final model was learnt from, nats per row
  // Mean NLL, in nats per row, of the rows that the fit chose by (`valid`, or rows held out of `train`), by models that
  // have not learnt from them; none without such rows. In an autoregressive fit, a row does not choose how many trees
  // the models have that score it; and in a small table the rows of `train` are all scored, by cross-validation,
  // besides those of `valid`. So this estimates the NLL of new rows, and is not the final model's NLL of `valid`.
  std::optional<double> valid_nll;
  std::vector<std::string> warnings;
  std::vector<std::string> choices;  // what the fit chose, and why; a line each
};

// Same table (as a bag of rows), options and seed: the same model, byte for byte, on any number of threads; unless
// FitOptions::time is given, which reads the clock.
// Throws Error(kUsage) for options that make no sense, alone, together or for these columns; Error(kInput) for
// tables at fault: no rows or columns in `train`, tables whose columns differ, a weight out of range, a column that
// looks like ids (allow_unique), one to be cut that holds what is no number, a value in `valid` outside a closed
// domain. Another thread may ask to stop through `stop`: the fit then ends within some milliseconds with
// Error(kInterrupted).
FitResult Fit(const FitInputs& inputs, const FitOptions& options, const FitListener& listener = {},
              std::stop_token stop = {});

struct CrossvalOptions {
  int folds = 5;  // K: 2 or more, and no more than there are rows
  // Of the n rows whose weight is not 0, fold i tests rows i·⌊n/K⌋ … (i+1)·⌊n/K⌋ - 1 and learns from all others; the
  // last n - K·⌊n/K⌋ rows are tested by no fold. Contiguous: rows are in file order; else shuffled by `shuffle_seed`.
  bool contiguous = false;
  std::uint64_t shuffle_seed = 0;
};

// Of one fold's model. NLLs are in nats per row.
struct FoldResult {
  std::size_t rows = 0;     // that it was learnt from
  std::size_t columns = 0;  // of the model
  int layers = 0;           // of a tsp; else 0
  std::uint64_t nodes = 0;  // as Model::nodes and Model::parameters count
  std::uint64_t parameters = 0;
  double train_nll = 0;             // as FitResult has it
  std::optional<double> valid_nll;  // likewise
  double nll = 0;                   // mean over the fold's test rows
  double seconds = 0;               // learning only
};

// Learns and tests once per fold, with the categories and the bins of the whole table. Calls `warn`, if any, for each
// warning that Fit would give, then `listener`, if any, after each fold; both on the caller's thread. Throws as Fit
// does, and Error(kUsage) for a number of folds that CrossvalOptions does not allow.
std::vector<FoldResult> Crossval(const NamedTable& table, const FitOptions& options, const CrossvalOptions& crossval,
                                 const std::function<void(const FoldResult&)>& listener = {},
                                 const std::function<void(const std::string&)>& warn = {});

}  // namespace dtf
