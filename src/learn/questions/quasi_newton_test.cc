#include "learn/questions/quasi_newton.h"

#include <cmath>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "learn/questions/vectors.h"

namespace dtf {
namespace {

using Vector = std::vector<double>;

Vector Random(std::size_t size, std::mt19937_64& random) {
  Vector values(size);
  for (double& value : values) value = static_cast<double>(random() % 2001) / 1000 - 1;
  return values;
}

// A symmetric positive definite matrix, row by row, times a vector.
class Matrix {
 public:
  Matrix(std::size_t size, std::mt19937_64& random) {
    std::vector<Vector> factors;
    for (std::size_t i = 0; i < size; ++i) factors.push_back(Random(size, random));
    for (std::size_t i = 0; i < size; ++i) {
      rows_.emplace_back(size);
      for (std::size_t j = 0; j < size; ++j) rows_[i][j] = DotProduct(factors[i], factors[j]) + (i == j ? 0.1 : 0);
    }
  }

  Vector operator*(std::span<const double> vector) const {
    Vector product;
    for (const Vector& row : rows_) product.push_back(DotProduct(row, vector));
    return product;
  }

 private:
  std::vector<Vector> rows_;
};

// A metric that is wrong by far.
void Metric(std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= 0.5 + static_cast<double>(i);
}

TEST(QuasiNewton, BeginsWithTheMetric) {
  std::mt19937_64 random(1);
  const QuasiNewton curvature(Metric);
  const Vector gradient = Random(5, random);
  Vector expected = gradient;
  Metric(expected);
  EXPECT_EQ(curvature.Times(gradient), expected);
}

// The secant equation: what it was told last holds.
TEST(QuasiNewton, SolvesForTheLastStep) {
  std::mt19937_64 random(2);
  const std::size_t size = 12;
  const Matrix hessian(size, random);
  QuasiNewton curvature(Metric);
  for (int k = 0; k < 30; ++k) {
    const Vector step = Random(size, random);
    const Vector change = hessian * step;
    curvature.Add(step, change);
    const Vector solved = curvature.Times(change);
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(solved[i], step[i], 1e-8);
  }
}

TEST(QuasiNewton, IsSymmetricAndPositive) {
  std::mt19937_64 random(3);
  const std::size_t size = 9;
  const Matrix hessian(size, random);
  QuasiNewton curvature(Metric);
  for (int k = 0; k < 20; ++k) {
    const Vector step = Random(size, random);
    curvature.Add(step, hessian * step);
    const Vector a = Random(size, random);
    const Vector b = Random(size, random);
    EXPECT_NEAR(DotProduct(a, curvature.Times(b)), DotProduct(b, curvature.Times(a)), 1e-8);
    EXPECT_GT(DotProduct(a, curvature.Times(a)), 0);
  }
}

TEST(QuasiNewton, PassesOverNegativeCurvature) {
  QuasiNewton curvature(Metric);
  curvature.Add({1, 0}, {-1, 0});
  EXPECT_FALSE(curvature.remembers());
  curvature.Add({1, 0}, {1, 0});
  EXPECT_TRUE(curvature.remembers());
  curvature.Forget();
  EXPECT_FALSE(curvature.remembers());
}

// With exact searches it finds a quadratic function's minimum in as many steps as there are dimensions.
TEST(QuasiNewton, FindsTheMinimumOfAQuadraticFunction) {
  std::mt19937_64 random(4);
  const std::size_t size = 7;
  const Matrix hessian(size, random);
  const Vector minimum = Random(size, random);
  Vector here(size);
  QuasiNewton curvature(Metric);
  const auto gradient_at = [&](const Vector& point) {
    Vector offset = point;
    AddMultiple(-1, minimum, offset);
    return hessian * offset;
  };
  for (std::size_t k = 0; k < size; ++k) {
    const Vector gradient = gradient_at(here);
    Vector step = curvature.Times(gradient);
    const double share = DotProduct(step, gradient) / DotProduct(step, hessian * step);
    for (double& value : step) value *= -share;
    AddMultiple(1, step, here);
    curvature.Add(step, hessian * step);
  }
  for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(here[i], minimum[i], 1e-5);
}

}  // namespace
}  // namespace dtf
