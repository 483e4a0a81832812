#include "learn/questions/ridge_factor.h"

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "count/target_test_util.h"
#include "learn/questions/regression_test_util.h"
#include "learn/questions/ridge_by_rows.h"

namespace dtf {
namespace {

// Gaussian elimination with pivots.
std::vector<double> Eliminate(Matrix a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i) pivot = std::abs(a[i][k]) > std::abs(a[pivot][k]) ? i : pivot;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

TEST(RidgeFactor, SolvesAsEliminationDoes) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20; ++round) {
    const std::size_t tests = 1 + random() % 20;
    WeightedRows table = RandomRows(20 + random() % 300, tests, round % 2 == 1, random);
    if (round % 4 == 3) table.unit = 0.25;
    const double lambda = round % 3 == 0 ? 100 : 0.5;
    const Matrix gram = Centred(table).Gram(lambda);
    const Questioned data(table);
    OnEachTarget([&] {
      for (const int threads : {1, 3}) {
        const RidgeFactor factor(data.rows.tests(), data.weights.weights, data.weights.unit, table.codes.rows, lambda,
                                 threads);
        // Its leading part is the factor of the first tests alone.
        for (std::size_t size : {tests, 1 + tests / 2}) {
          Matrix part(gram.begin(), gram.begin() + static_cast<std::ptrdiff_t>(size));
          for (auto& row : part) row.resize(size);
          std::vector<double> values(size);
          for (double& value : values) value = static_cast<double>(random() % 1000) - 500;
          const std::vector<double> expected = Eliminate(part, values);
          factor.Solve(values);
          for (std::size_t t = 0; t < size; ++t)
            EXPECT_NEAR(values[t], expected[t], 1e-7 * (1 + std::abs(expected[t])));
        }
      }
    });
  }
}

// And the same as with a factor of all tests.
TEST(RidgeByRows, SolvesAsEliminationDoes) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 20; ++round) {
    const std::size_t tests = 1 + random() % 60;
    WeightedRows table = RandomRows(2 + random() % 15, tests, round % 2 == 1, random);
    if (round % 4 == 3) table.unit = 0.25;
    const double lambda = round % 3 == 0 ? 100 : 0.5;
    const Questioned data(table);
    std::vector<double> values(tests);
    for (double& value : values) value = static_cast<double>(random() % 1000) - 500;
    const std::vector<double> expected = Eliminate(Centred(table).Gram(lambda), values);
    const RidgeByRows by_rows(data.rows, lambda);
    by_rows.Solve(values);
    for (std::size_t t = 0; t < tests; ++t) EXPECT_NEAR(values[t], expected[t], 1e-7 * (1 + std::abs(expected[t])));
  }
}

}  // namespace
}  // namespace dtf
