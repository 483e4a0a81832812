// Cholesky's factor of a symmetric positive definite matrix, and solving with it. Sums are in a fixed order.
#pragma once

#include <cstddef>
#include <span>

namespace dtf {

// Replaces the lower triangle of an n × n matrix A, stored row by row, by its factor L, A = L Lᵀ. Squared pivots below
// 1e-6 are raised to that. Time: n³ / 3.
void FactoriseInPlace(std::span<double> lower, std::size_t n);

// Solves L Lᵀ x = values in place; L: the leading values.size() rows and columns of a factor of `n` rows.
void SolveWithFactor(std::span<const double> lower, std::size_t n, std::span<double> values);

}  // namespace dtf
