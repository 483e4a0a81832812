// A flow with its size chosen on rows held out, then learnt again from all rows.
#pragma once

#include <optional>
#include <vector>

#include "learn/tsp/fit_layers.h"
#include "learn/weighted_rows.h"

namespace dtf {

struct FlowOptions {
  LayerOptions layers;
  // Share of the rows to hold out when no rows are given for that. None: a tenth, if there is something to choose.
  std::optional<double> valid_fraction;
  bool refit = true;
};

struct FlowFit {
  Flow flow;
  double train_nll = 0;                   // nats per row, of the rows the flow was learnt from
  std::optional<double> valid_nll;        // of the rows held out, by the flow learnt without them
  std::vector<LearningCurvePoint> curve;  // of the fit that chose the size
};

// `listener` is also told whether the point belongs to the second fit, and how many layers there will be, if known.
using FlowListener = std::function<void(bool refit, const LearningCurvePoint&, std::optional<int> layers)>;

// `valid` rows are never learnt from. Without them, and with something to choose, a share of `rows` is held out, and
// the final flow is learnt from all of `rows`.
FlowFit FitFlow(const WeightedRows& rows, std::optional<WeightedRows> valid, const std::vector<Code>& sizes,
                const FlowOptions& options, const FlowListener& listener);

}  // namespace dtf
