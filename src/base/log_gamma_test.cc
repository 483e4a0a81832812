#include "base/log_gamma.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace dtf {
namespace {

double Exact(double x) { return static_cast<double>(std::lgamma(static_cast<long double>(x))); }

// Where ln Γ passes 0, at 1 and 2, its error is an absolute one.
void ExpectExact(double x) {
  const double exact = Exact(x);
  EXPECT_NEAR(LnGamma(x), exact, 1e-12 * std::max(std::abs(exact), 1.0)) << x;
}

TEST(LogGamma, AgreesWithTheExactValueAtAllMagnitudes) {
  RandomStream random(1, RandomPurpose::kSample, 0);
  for (int i = 0; i < 20000; ++i) {
    ExpectExact(std::ldexp(1 + random.Uniform(), static_cast<int>(random.Below(100)) - 50));
  }
  for (int i = 0; i < 20000; ++i) ExpectExact(20 * (1 - random.Uniform()));  // where the series begins, at 10
}

TEST(LogGamma, AgreesWithTheExactValueAtWholeAndHalfNumbers) {
  for (int twice = 1; twice < 4000; ++twice) ExpectExact(0.5 * twice);
  for (double x = 0.5; x < 1e12; x = 2 * x + 0.5) ExpectExact(x);
}

TEST(LogGamma, IsTheLogarithmOfTheFactorial) {
  double factorial = 1;
  for (int n = 1; n <= 20; ++n) {
    EXPECT_NEAR(LnGamma(n), std::log(factorial), 1e-12 * std::max(std::log(factorial), 1.0));
    factorial *= n;
  }
  EXPECT_NEAR(LnGamma(0.5), 0.5 * std::log(std::acos(-1.0)), 1e-12);
}

}  // namespace
}  // namespace dtf
