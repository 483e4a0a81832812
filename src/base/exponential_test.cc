#include "base/exponential.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/random.h"

namespace dtf {
namespace {

double UnitsInTheLastPlace(double value, double exact) {
  return std::abs(value - exact) / (std::nextafter(exact, std::numeric_limits<double>::infinity()) - exact);
}

TEST(Exponential, IsWithinTwoUnitsOfTheExactValue) {
  RandomStream random(2, RandomPurpose::kSample, 0);
  for (int i = 0; i < 200000; ++i) {
    const double scale = std::ldexp(1, static_cast<int>(random.Below(60)) - 50);
    const double x = scale * (2 * random.Uniform() - 1);
    if (x > 709.7 || x < -745) continue;
    const auto exact = static_cast<double>(std::exp(static_cast<long double>(x)));
    EXPECT_LE(UnitsInTheLastPlace(Exp(x), exact), 2) << x;
  }
}

TEST(Exponential, IsExactWhereItMustBe) {
  EXPECT_EQ(Exp(0), 1);
  EXPECT_EQ(Exp(-0.0), 1);
  EXPECT_EQ(Exp(-std::numeric_limits<double>::infinity()), 0);
  EXPECT_EQ(Exp(-1e300), 0);
  EXPECT_EQ(Exp(1000), std::numeric_limits<double>::infinity());
  EXPECT_EQ(Exp(std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
  EXPECT_DOUBLE_EQ(Exp(-744), std::exp(-744.0));
  EXPECT_DOUBLE_EQ(Exp(709.78), std::exp(709.78));
}

TEST(Exponential, OfWhatIsNotPositiveIsAtMostOne) {
  for (double x = 0; x > -1; x = std::nextafter(x, -1.0) - 1e-6) EXPECT_LE(Exp(x), 1) << x;
}

}  // namespace
}  // namespace dtf
