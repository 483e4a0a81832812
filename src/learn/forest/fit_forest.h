// Autoregressive flows, alone or as a mixture whose members differ in kind and in the order of the columns.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dtf/model.h"
#include "flow/flow.h"
#include "learn/column_kinds.h"
#include "learn/forest/forest_options.h"
#include "learn/progress.h"
#include "learn/weighted_rows.h"
#include "perm/domain.h"

namespace dtf {

struct ForestFit {
  std::shared_ptr<const Flow> flow;
  double train_nll = 0;                   // nats per row, of all rows given to learn from
  std::optional<double> valid_nll;        // of the rows that judged, by flows learnt without them
  std::vector<LearningCurvePoint> curve;  // `layers`: members so far
  std::vector<std::string> choices;       // what was chosen, and why: a line each
};

// What is held out to judge by when no rows are given for that, and whether it is learnt from in the end.
struct HeldOut {
  double fraction = 0.1;
  bool refit = true;
};

// Learns from `rows`; `valid` rows judge and are never learnt from. Without them, a share of the rows judges, and the
// members are learnt again from all rows; small tables are judged by cross-validation, which
// holds back nothing in the end.
ForestFit FitForest(const WeightedRows& rows, const std::optional<WeightedRows>& valid, const ColumnKinds& kinds,
                    const HeldOut& hold_out, const ForestOptions& options, const FlowListener& listener);

}  // namespace dtf
