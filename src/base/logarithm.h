// Our own natural logarithm. The C library's differs between versions and machines in the last bit; scores and ties
// must not. The sequence of roundings is fixed (the project is compiled without contraction).
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace dtf {

// ln x in nats, within 2 units in the last place. -inf at 0. REQUIRES: x >= 0 and finite.
inline double Ln(double x) {
  if (x == 0) return -std::numeric_limits<double>::infinity();
  int exponent = 0;
  if (x < 0x1p-1022) {  // subnormal
    x *= 0x1p54;
    exponent = -54;
  }
  // x = m · 2^e with m in [√½, √2)
  const auto bits = std::bit_cast<std::uint64_t>(x);
  constexpr std::uint64_t kSqrtHalf = 0x3FE6A09E667F3BCDu;
  constexpr std::uint64_t kFraction = 0x000FFFFFFFFFFFFFu;
  const std::uint64_t shifted = bits - kSqrtHalf + 0x3FF0000000000000u;
  exponent += static_cast<int>(shifted >> 52) - 1023;
  const double m = std::bit_cast<double>((shifted & kFraction) + kSqrtHalf);

  // ln m = 2 artanh s = 2s (1 + s²/3 + s⁴/5 + …), |s| < 0.172
  const double s = (m - 1) / (m + 1);
  const double z = s * s;
  double series = 1.0 / 23;
  for (int k = 21; k >= 3; k -= 2) series = series * z + 1.0 / k;
  constexpr double kLn2High = 0x1.62e42fee00000p-1;  // 33 bits: exponent · kLn2High is exact
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  return exponent * kLn2High + (2 * s + (2 * s * z * series + exponent * kLn2Low));
}

// ln(1 + u) in nats, within 2 units in the last place, however small u is. REQUIRES: 0 <= u <= 1.
inline double LnOnePlus(double u) {
  // 2 artanh s as above, with s <= 1/3 and 2s = u - u²/2 + s u²/2, so that rounding errors of s weigh little
  const double s = u / (2 + u);
  const double z = s * s;
  double series = 2.0 / 35;
  for (int k = 33; k >= 3; k -= 2) series = series * z + 2.0 / k;
  const double half_square = 0.5 * u * u;
  return u - (half_square - s * (half_square + z * series));
}

// x ln x, 0 at 0.
inline double XLogX(double x) { return x == 0 ? 0 : x * Ln(x); }

}  // namespace dtf
