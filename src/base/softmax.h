// Sums of probabilities whose logarithms are known, so that none is too small for a number: over the largest of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

#include "base/exponential.h"
#include "base/logarithm.h"

namespace dtf {

// ln Σ e^(ln_of(i)) for i = 0, …, count - 1; -inf if all are. REQUIRES: count > 0.
template <typename F>
double LnSumExp(std::size_t count, const F& ln_of) {
  double most = ln_of(0);
  for (std::size_t i = 1; i < count; ++i) most = std::max(most, ln_of(i));
  if (most == -std::numeric_limits<double>::infinity()) return most;
  double sum = 0;  // at least 1
  for (std::size_t i = 0; i < count; ++i) sum += Exp(ln_of(i) - most);
  return most + Ln(sum);
}

// Turns logarithms of what is proportional to probabilities into these. REQUIRES: one of them is finite at least.
inline void Softmax(std::span<double> values) {
  const double most = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (double& value : values) sum += value = Exp(value - most);
  for (double& value : values) value /= sum;
}

}  // namespace dtf
