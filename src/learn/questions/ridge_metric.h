// What gradients of a ridge regression are divided by.
#pragma once

#include <span>

namespace dtf {

// λ of the metrics here: a test that hardly any row passes is not thought to be certain.
constexpr double kRidgeMetricRows = 100;

// XᵀWX + λI, X the centred tests, as what gradients are divided by.
class RidgeMetric {
 public:
  virtual ~RidgeMetric() = default;

  // Solves for the first values.size() tests, in place.
  virtual void Solve(std::span<double> values) const = 0;
};

}  // namespace dtf
