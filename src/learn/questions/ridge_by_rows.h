// The metric of a ridge regression that has fewer rows than tests.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "learn/questions/question_rows.h"
#include "learn/questions/ridge_metric.h"

namespace dtf {

// Whether it takes less time than RidgeFactor.
inline bool IsCheaperByRows(std::size_t rows, std::size_t tests) { return 2 * rows <= tests; }

// Solves with XᵀWX + λI as RidgeFactor does, but factorises the rows × rows matrix λI + ZZᵀ, Z = W^½X:
//   (λI + ZᵀZ)⁻¹ g = (g − Zᵀ (λI + ZZᵀ)⁻¹ Z g) / λ                                  (Woodbury's identity).
// Memory: 8 B · rows · (tests + rows); time: rows² · tests / 2, and 2 · rows · tests to solve.
class RidgeByRows final : public RidgeMetric {
 public:
  // REQUIRES: lambda > 0.
  RidgeByRows(const QuestionRows& train, double lambda);

  // REQUIRES: as many values as tests.
  void Solve(std::span<double> values) const override;

 private:
  std::span<const double> Row(std::size_t i) const { return std::span(scaled_).subspan(i * tests_, tests_); }

  double lambda_;
  std::size_t rows_;
  std::size_t tests_;
  std::vector<double> scaled_;  // Z, row by row
  std::vector<double> factor_;  // of λI + ZZᵀ
};

}  // namespace dtf
