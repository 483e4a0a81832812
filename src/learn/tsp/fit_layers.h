// Layer-wise training (paper section 3): each tree is learnt on the rows as the trees before it left them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "dtf/model.h"
#include "flow/layered_flow.h"
#include "learn/tsp/criterion.h"
#include "learn/tsp/grow.h"
#include "learn/weighted_rows.h"

namespace dtf {

struct LayerOptions {
  CriterionKind criterion = CriterionKind::kGlpAligned;
  std::optional<int> layers;  // none: as many as lower the NLL of validation rows
  GrowOptions grow;           // its seed and threads are set from those below
  std::uint64_t split_values = 1;
  double alpha = 0.01;
  bool closed = false;
  bool conditional_base = false;  // a LeafBase (flow/leaf_base.h) in place of an independent one
  double prior_rows = 30;         // of a LeafBase; 10 to 100 make little difference (docs/paper.md)
  std::uint64_t seed = 0;
  int threads = 1;
};

struct LayersFit {
  LayeredFlow flow;
  std::vector<LearningCurvePoint> curve;  // from no layer to the last one tried
};

// Told each point of the curve as it is reached.
using CurveListener = std::function<void(const LearningCurvePoint&)>;

// Learns from `train` (at least one row). A conditional base is that of the last layer's leaves; with no layer the base
// is independent. If the number of layers is given, all are kept. If not, layers are added until three in a row have
// not lowered the negative log-likelihood of `valid`, and those up to its minimum are kept; without `valid`, one layer
// is learnt. A `valid` row may hold unseen slots, a `train` row must not.
LayersFit FitLayers(WeightedRows train, std::optional<WeightedRows> valid, const std::vector<Code>& sizes,
                    const LayerOptions& options, const CurveListener& listener);

}  // namespace dtf
