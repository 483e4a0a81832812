// The metric of a ridge regression's first step: an approximation of its Hessian.
#pragma once

#include <span>

namespace dtf {

// λ of the metrics here, in rows: it keeps steps small for tests that hardly any row passes.
constexpr double kRidgeMetricRows = 100;

// The matrix XᵀWX + λI, with X the centred tests by row and W the rows' weights, to solve linear systems with.
class RidgeMetric {
 public:
  virtual ~RidgeMetric() = default;

  // Solves for the first values.size() tests, in place.
  virtual void Solve(std::span<double> values) const = 0;
};

}  // namespace dtf
