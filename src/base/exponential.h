// Our own exponential function, for the same reason as our own logarithm (logarithm.h).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace dtf {

// e^x, within 2 units in the last place; 0 or infinite where that is out of range. Free of branches, so that a loop
// over many values becomes vector instructions. REQUIRES: not NaN.
inline double Exp(double x) {
  x = std::max(-760.0, std::min(720.0, x));
  // x = k ln 2 + r with |r| <= ½ ln 2. Adding 1.5 · 2^52 rounds a number to a whole one, which is then in the lowest
  // bits.
  constexpr double kRound = 0x1.8p52;
  const double shifted = x * 0x1.71547652b82fep+0 + kRound;
  const double k = shifted - kRound;
  constexpr double kLn2High = 0x1.62e42fee00000p-1;  // 33 bits: k · kLn2High is exact
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  const double r = (x - k * kLn2High) - k * kLn2Low;

  double series = 1.0 / 6227020800;  // 1 / 13!
  for (const double inverse : {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                               1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2}) {
    series = series * r + inverse;
  }
  const double fraction = 1 + (r + r * r * series);

  // Times 2^k in two steps, as 2^k itself can be out of range. k + 2048 is positive.
  const std::uint64_t biased = std::bit_cast<std::uint64_t>(shifted) - std::bit_cast<std::uint64_t>(kRound) + 2048;
  const std::uint64_t half = biased >> 1;
  const std::uint64_t rest = biased - half;
  return fraction * std::bit_cast<double>((half - 1) << 52) * std::bit_cast<double>((rest - 1) << 52);
}

}  // namespace dtf
