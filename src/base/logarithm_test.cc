#include "base/logarithm.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/random.h"

namespace dtf {
namespace {

double UnitsInTheLastPlace(double value, double exact) {
  const double unit = std::nextafter(std::abs(exact), std::numeric_limits<double>::infinity()) - std::abs(exact);
  return std::abs(value - exact) / unit;
}

TEST(Logarithm, IsWithinTwoUnitsOfTheExactValue) {
  RandomStream random(1, RandomPurpose::kSample, 0);
  for (int i = 0; i < 100000; ++i) {
    const double x = std::ldexp(1 + random.Uniform(), static_cast<int>(random.Below(2000)) - 1000);
    const auto exact = static_cast<double>(std::log(static_cast<long double>(x)));
    EXPECT_LE(UnitsInTheLastPlace(Ln(x), exact), 2) << x;
  }
}

TEST(Logarithm, IsExactWhereItMustBe) {
  EXPECT_EQ(Ln(1), 0);
  EXPECT_EQ(Ln(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(XLogX(0), 0);
  EXPECT_DOUBLE_EQ(Ln(5e-324), std::log(5e-324));
}

TEST(Logarithm, OfOnePlusALittleIsWithinTwoUnits) {
  RandomStream random(3, RandomPurpose::kSample, 0);
  for (int i = 0; i < 100000; ++i) {
    const double u = std::ldexp(1 - random.Uniform(), -static_cast<int>(random.Below(300)));
    const auto exact = static_cast<double>(std::log1p(static_cast<long double>(u)));
    EXPECT_LE(UnitsInTheLastPlace(LnOnePlus(u), exact), 2) << u;
  }
  EXPECT_EQ(LnOnePlus(0), 0);
  EXPECT_EQ(LnOnePlus(5e-324), 5e-324);
}

TEST(Logarithm, OfAProbabilityIsNeverAboveZero) {
  for (double p = 1; p > 0.9; p = std::nextafter(p, 0.0) - 1e-6) EXPECT_LE(Ln(p), 0) << p;
  EXPECT_LT(Ln(std::nextafter(1.0, 0.0)), 0);
}

TEST(RandomStream, BelowIsUniform) {
  RandomStream random(7, RandomPurpose::kSplit, 3, 4);
  int seen[3] = {0, 0, 0};
  for (int i = 0; i < 30000; ++i) ++seen[random.Below(3)];
  for (int count : seen) EXPECT_NEAR(count, 10000, 400);  // five standard deviations
}

TEST(RandomStream, DependsOnEachPartOfItsName) {
  const std::uint64_t draw = RandomStream(1, RandomPurpose::kSplit, 2, 3).Next();
  EXPECT_EQ(draw, RandomStream(1, RandomPurpose::kSplit, 2, 3).Next());
  EXPECT_NE(draw, RandomStream(2, RandomPurpose::kSplit, 2, 3).Next());
  EXPECT_NE(draw, RandomStream(1, RandomPurpose::kSample, 2, 3).Next());
  EXPECT_NE(draw, RandomStream(1, RandomPurpose::kSplit, 3, 3).Next());
  EXPECT_NE(draw, RandomStream(1, RandomPurpose::kSplit, 2, 4).Next());
}

}  // namespace
}  // namespace dtf
