// Sums over vectors, in a fixed order: the same bits on any machine.
#pragma once

#include <cstddef>
#include <span>

namespace dtf {

inline double DotProduct(std::span<const double> a, std::span<const double> b) {
  double partial[4] = {};
  std::size_t k = 0;
  for (; k + 4 <= a.size(); k += 4) {
    for (std::size_t i = 0; i < 4; ++i) partial[i] += a[k + i] * b[k + i];
  }
  double sum = (partial[0] + partial[1]) + (partial[2] + partial[3]);
  for (; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

// to += factor · what
inline void AddMultiple(double factor, std::span<const double> what, std::span<double> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * what[i];
}

}  // namespace dtf
