// A flow of either family, learnt from rows: its size is chosen on held-out rows, and it is then learnt from all rows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "learn/column_kinds.h"
#include "learn/forest/fit_forest.h"
#include "learn/progress.h"
#include "learn/tsp/fit_layers.h"
#include "learn/weighted_rows.h"

namespace dtf {

struct FlowOptions {
  std::variant<LayerOptions, ForestOptions> family;
  // Share of the rows to hold out when no validation rows are given. None: DefaultValidFraction.
  std::optional<double> valid_fraction;
  bool refit = true;  // learn the final flow from all rows, held-out ones included
};

// A tenth; 0 for a tsp with a given number of layers, which has nothing to choose.
double DefaultValidFraction(const FlowOptions& options);
// options.valid_fraction, or else the default.
double ValidFraction(const FlowOptions& options);

struct FlowFit {
  std::shared_ptr<const Flow> flow;
  double train_nll = 0;                   // nats per row, of the rows the flow was learnt from
  std::optional<double> valid_nll;        // as FitResult::valid_nll
  std::vector<LearningCurvePoint> curve;  // of the fit that chose the size
  std::vector<std::string> choices;       // what was chosen, and why; a line each
};

// `valid` rows are never learnt from. Without them, a share of `rows` is held out where there is something to choose
// (small tables of a forest are cross-validated instead), and the final flow is learnt from all of `rows`.
FlowFit FitFlow(const WeightedRows& rows, std::optional<WeightedRows> valid, const ColumnKinds& columns,
                const FlowOptions& options, const FlowListener& listener);

}  // namespace dtf
