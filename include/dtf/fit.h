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

// Options of a fit, by their names on the command line; dtf/fit_option.h describes each.
// Options that are not set have the default of their model.
struct FitOptions {
  // "tsp": layers of tree-structured permutations; "autoregressive": conditioners, one column after the other; "auto":
  // tsp if an option of its own is set, else autoregressive.
  std::string model = "auto";
  std::optional<std::string> base;  // "independent" or "conditional"

  // Of a tsp model.
  std::optional<std::string> criterion;
  std::optional<std::uint64_t> split_values;
  std::optional<std::string> layers;
  std::optional<int> max_depth;
  std::optional<double> min_split;
  std::optional<std::uint64_t> features_per_node;

  // Of an autoregressive model.
  std::optional<std::string> conditioner;
  std::optional<std::string> order;  // "natural", "random" or the names of all columns, parted by commas
  std::optional<int> members;
  std::optional<double> time;  // seconds

  std::optional<double> alpha;
  bool closed = false;
  std::optional<double> valid_fraction;
  bool refit = true;
  bool allow_unique = false;
  std::vector<std::string> ordered;
  std::vector<std::string> bins;
  std::optional<std::string> weights;
  std::uint64_t seed = 0;
  int threads = 0;
};

// What a step of a fit is: a layer, or a member of an autoregressive model, that has been learnt; or a phase that
// begins, whose work is neither; or, before all of them, a warning (FitResult::warnings has them all).
enum class FitStep { kLayer, kMember, kPhase, kWarning };

// Told of each step. `refit`: of the final model, on all rows. Returning false stops the fit with Error(kInterrupted).
struct FitProgress {
  bool refit = false;
  FitStep step = FitStep::kLayer;
  LearningCurvePoint point;   // layers or members with this one; of a phase those before it, and no NLL
  std::optional<int> layers;  // how many there will be, if known
  std::string note;           // what kind of member it is, what a phase does, or the warning
  double seconds = 0;         // since the fit began
};
using FitListener = std::function<bool(const FitProgress&)>;

struct FitInputs {
  const NamedTable& train;
  const NamedTable* valid = nullptr;   // never trained on; else rows are held out of `train` where they are needed
  const NamedTable* domain = nullptr;  // its values are known too; implies FitOptions::closed
  // How often each row of `train` counts; empty: once, or what the column FitOptions::weights says.
  std::span<const double> row_weights = {};
  // Texts that mean missing, in these tables and in all that the model is given later. It ignores markers of columns
  // that it does not have.
  std::span<const MissingMarker> missing = {};
};

struct FitResult {
  Model model;
  double train_nll = 0;  // nats per row, mean over the rows the final model was learnt from
  // nats per row, of the rows that the fit chose by: `valid`, or those held out, by what was learnt without them. For
  // an autoregressive model a row judges only sizes that others have chosen, and of a small table all rows judge, by
  // cross-validation, those of `train`, too: this is what new rows may get, not the final model's NLL of `valid`.
  std::optional<double> valid_nll;
  std::vector<std::string> warnings;
  std::vector<std::string> choices;  // what the fit chose, and why; a line each
};

// Same table (as a bag of rows), options and seed: the same model, byte for byte, on any number of threads.
// Throws Error(kUsage) for options that make no sense, Error(kInput) for tables at fault.
// Another thread may ask to stop through `stop`: the fit then ends within some milliseconds with Error(kInterrupted).
FitResult Fit(const FitInputs& inputs, const FitOptions& options, const FitListener& listener = {},
              std::stop_token stop = {});

struct CrossvalOptions {
  int folds = 5;
  // Contiguous: fold i tests rows i·⌊n/K⌋ … (i+1)·⌊n/K⌋ - 1 in file order. Else rows are shuffled first, by this seed.
  bool contiguous = false;
  std::uint64_t shuffle_seed = 0;
};

struct FoldResult {
  std::size_t rows = 0;  // trained on
  std::size_t columns = 0;
  int layers = 0;
  std::uint64_t nodes = 0;
  std::uint64_t parameters = 0;
  double train_nll = 0;
  std::optional<double> valid_nll;
  double nll = 0;      // of the fold's test rows, nats per row
  double seconds = 0;  // learning only
};

// Fits and tests once per fold, with the domain and the bins of the whole table. `listener`, if any, hears each fold;
// before them `warn`, if any, what Fit would have as warnings.
std::vector<FoldResult> Crossval(const NamedTable& table, const FitOptions& options, const CrossvalOptions& crossval,
                                 const std::function<void(const FoldResult&)>& listener = {},
                                 const std::function<void(const std::string&)>& warn = {});

}  // namespace dtf
