// Autoregressive flows, alone or as a mixture whose members differ in kind and in the order of the columns.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dtf/model.h"
#include "flow/flow.h"
#include "learn/progress.h"
#include "learn/weighted_rows.h"
#include "perm/domain.h"

namespace dtf {

enum class ConditionerKind { kAuto, kTree, kLinear, kBoosted };
enum class OrderKind { kAuto, kNatural, kRandom, kGiven };

struct ForestOptions {
  ConditionerKind conditioner = ConditionerKind::kAuto;
  OrderKind order = OrderKind::kAuto;
  std::vector<Feature> given_order;  // of kGiven
  std::optional<int> members;        // none: as many as bring something, within the budget
  std::optional<double> seconds;     // no member is begun that would take the fit beyond
  bool conditional_base = true;
  double alpha = 0.5;  // of the unseen slots, and of an independent base
  bool closed = false;
  std::uint64_t seed = 0;
  int threads = 1;
};

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
// holds back nothing in the end. ordered: of each column, whether its categories are ordered by value.
ForestFit FitForest(const WeightedRows& rows, const std::optional<WeightedRows>& valid, const std::vector<Code>& sizes,
                    const std::vector<bool>& ordered, const HeldOut& hold_out, const ForestOptions& options,
                    const FlowListener& listener);

}  // namespace dtf
