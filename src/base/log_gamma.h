// ln Γ without the C library, for the same reasons as logarithm.h.
#pragma once

#include "base/logarithm.h"

namespace dtf {

// ln Γ(x), within 1e-12 of it relatively where it is not near 0. REQUIRES: x > 0.
inline double LnGamma(double x) {
  // Γ(x) = Γ(x + m) / (x (x + 1) … (x + m − 1)), and Stirling's series where it has converged.
  double product = 1;
  while (x < 10) product *= x++;
  const double z = 1 / (x * x);
  const double series = (((1.0 / 1188 * -z + 1.0 / 1680) * -z + 1.0 / 1260) * -z + 1.0 / 360) * -z + 1.0 / 12;
  constexpr double kHalfLnTwoPi = 0.91893853320467274178;
  return (x - 0.5) * Ln(x) - x + kHalfLnTwoPi + series / x - Ln(product);
}

}  // namespace dtf
