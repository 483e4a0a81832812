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
  std::optional<double> valid_nll;        // of the validation rows, scored out of sample (Judge)
  std::vector<LearningCurvePoint> curve;  // `layers`: members so far
  std::vector<std::string> choices;       // what was chosen, and why: a line each
};

// Which share of the rows is held out when no validation rows are given, and whether the final flow is learnt from all.
struct HeldOut {
  double fraction = 0.1;
  bool refit = true;
};

// Learns from `rows`, and never from `valid`, by which kinds, orders, sizes and weights are chosen. Without `valid`, a
// share of the rows is held out to choose by, and the members are learnt again from all rows; a small table is
// cross-validated instead (Judge::CrossValidates), and its members are learnt from all rows in the end, in any case.
ForestFit FitForest(const WeightedRows& rows, const std::optional<WeightedRows>& valid, const ColumnKinds& kinds,
                    const HeldOut& hold_out, const ForestOptions& options, const FlowListener& listener);

}  // namespace dtf
