// A flow with its size chosen on rows held out, then learnt again from all rows.
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
  // Share of the rows to hold out when no rows are given for that. None: a tenth, if there is something to choose.
  std::optional<double> valid_fraction;
  bool refit = true;
};

// The share that is meant by none, and the share that holds: the one of the options, or else that.
double DefaultValidFraction(const FlowOptions& options);
double ValidFraction(const FlowOptions& options);

struct FlowFit {
  std::shared_ptr<const Flow> flow;
  double train_nll = 0;                   // nats per row, of the rows the flow was learnt from
  std::optional<double> valid_nll;        // of the rows held out, by the flow learnt without them
  std::vector<LearningCurvePoint> curve;  // of the fit that chose the size
  std::vector<std::string> choices;       // what was chosen, and why; a line each
};

// `valid` rows are never learnt from. Without them, and with something to choose, a share of `rows` is held out, and
// the final flow is learnt from all of `rows`.
FlowFit FitFlow(const WeightedRows& rows, std::optional<WeightedRows> valid, const ColumnKinds& columns,
                const FlowOptions& options, const FlowListener& listener);

}  // namespace dtf
