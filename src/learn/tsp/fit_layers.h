// Layer-wise training (paper section 3): each tree is learnt on the rows as the trees before it left them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "flow/flow.h"
#include "learn/tsp/criterion.h"
#include "learn/tsp/grow.h"
#include "table/code_table.h"

namespace dtf {

// Rows with weights, each a whole number of `unit` rows (a power of two); no weights: each row is one.
struct WeightedRows {
  CodeTable codes;
  std::vector<std::uint64_t> weights;
  double unit = 1;
};

struct LayerOptions {
  CriterionKind criterion = CriterionKind::kGlpAligned;
  std::optional<int> layers;  // none: as many as held-out rows bear
  GrowOptions grow;
  double alpha = 0.01;
  bool closed = false;
  std::uint64_t seed = 0;
  int threads = 1;
};

// Mean negative log-likelihoods, nats per row, of the flow's first layers.
struct LearningCurvePoint {
  int layers = 0;
  double train_nll = 0;
  std::optional<double> valid_nll;
};

struct LayersFit {
  Flow flow;
  std::vector<LearningCurvePoint> curve;  // from no layer to the last one tried
};

// Told each point of the curve as it is reached.
using CurveListener = std::function<void(const LearningCurvePoint&)>;

// Learns from `train` (at least one row). With a fixed number of layers all are kept. Without, layers are added until
// three in a row do not lower the negative log-likelihood of `valid`, and those up to the lowest are kept; one layer when
// there is no `valid`. A `valid` row may hold unseen slots, a `train` row must not.
LayersFit FitLayers(WeightedRows train, std::optional<WeightedRows> valid, const std::vector<Code>& sizes,
                    const LayerOptions& options, const CurveListener& listener);

}  // namespace dtf
