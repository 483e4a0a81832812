#include "learn/questions/cholesky.h"

#include <algorithm>
#include <cmath>

#include "base/stop.h"

namespace dtf {

void FactoriseInPlace(std::span<double> lower, std::size_t n) {
  // Row by row: the inner loop runs along two rows, in a fixed order.
  for (std::size_t t = 0; t < n; ++t) {
    ThrowIfStopped();
    double* row = lower.data() + t * n;
    for (std::size_t s = 0; s <= t; ++s) {
      const double* other = lower.data() + s * n;
      double partial[4] = {};
      std::size_t k = 0;
      for (; k + 4 <= s; k += 4) {
        for (std::size_t i = 0; i < 4; ++i) partial[i] += row[k + i] * other[k + i];
      }
      double value = row[s] - ((partial[0] + partial[1]) + (partial[2] + partial[3]));
      for (; k < s; ++k) value -= row[k] * other[k];
      row[s] = s == t ? std::sqrt(std::max(value, 1e-6)) : value / other[s];
    }
  }
}

void SolveWithFactor(std::span<const double> lower, std::size_t n, std::span<double> values) {
  for (std::size_t t = 0; t < values.size(); ++t) {
    const double* row = lower.data() + t * n;
    double partial[4] = {};
    std::size_t k = 0;
    for (; k + 4 <= t; k += 4) {
      for (std::size_t i = 0; i < 4; ++i) partial[i] += row[k + i] * values[k + i];
    }
    double value = values[t] - ((partial[0] + partial[1]) + (partial[2] + partial[3]));
    for (; k < t; ++k) value -= row[k] * values[k];
    values[t] = value / row[t];
  }
  for (std::size_t t = values.size(); t-- > 0;) {
    const double* row = lower.data() + t * n;
    values[t] /= row[t];
    for (std::size_t k = 0; k < t; ++k) values[k] -= row[k] * values[t];
  }
}

}  // namespace dtf
