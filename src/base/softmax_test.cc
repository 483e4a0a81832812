#include "base/softmax.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace dtf {
namespace {

TEST(Softmax, SumsProbabilitiesTooSmallForNumbers) {
  std::vector<double> values{-10000 + std::log(3), -10000, -20000};
  const auto ln_of = [&](std::size_t i) { return values[i]; };
  EXPECT_NEAR(LnSumExp(3, ln_of), -10000 + std::log(4), 1e-11);
  EXPECT_EQ(LnSumExp(1, ln_of), values[0]);
  Softmax(values);
  EXPECT_NEAR(values[0], 0.75, 1e-11);
  EXPECT_NEAR(values[1], 0.25, 1e-11);
  EXPECT_EQ(values[2], 0);
}

TEST(Softmax, OfNothingButZerosIsZero) {
  const double none = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(LnSumExp(2, [&](std::size_t) { return none; }), none);
}

}  // namespace
}  // namespace dtf
