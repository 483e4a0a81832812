#include "learn/questions/ridge_by_rows.h"

#include <cmath>
#include <cstdint>

#include "base/stop.h"
#include "learn/questions/cholesky.h"
#include "learn/questions/vectors.h"

namespace dtf {

RidgeByRows::RidgeByRows(const QuestionRows& train, double lambda)
    : lambda_(lambda),
      rows_(train.rows()),
      tests_(train.tests().planes),
      scaled_(rows_ * tests_),
      factor_(rows_ * rows_) {
  const auto weight = [&](std::size_t i) { return train.weights().empty() ? 1.0 : train.weights()[i]; };
  double total = 0;
  for (std::size_t i = 0; i < rows_; ++i) total += weight(i);
  for (std::size_t t = 0; t < tests_; ++t) {
    const std::uint64_t* plane = train.tests()[t];
    const auto passes = [&](std::size_t i) { return static_cast<double>(plane[i / 64] >> (i % 64) & 1); };
    double sum = 0;
    for (std::size_t i = 0; i < rows_; ++i) sum += weight(i) * passes(i);
    for (std::size_t i = 0; i < rows_; ++i) {
      scaled_[i * tests_ + t] = std::sqrt(train.unit() * weight(i)) * (passes(i) - sum / total);
    }
  }
  for (std::size_t i = 0; i < rows_; ++i) {
    ThrowIfStopped();
    for (std::size_t j = 0; j <= i; ++j) factor_[i * rows_ + j] = DotProduct(Row(i), Row(j)) + (i == j ? lambda : 0);
  }
  FactoriseInPlace(factor_, rows_);
}

void RidgeByRows::Solve(std::span<double> values) const {
  std::vector<double> of_rows(rows_);
  for (std::size_t i = 0; i < rows_; ++i) of_rows[i] = DotProduct(Row(i), values);
  SolveWithFactor(factor_, rows_, of_rows);
  for (std::size_t i = 0; i < rows_; ++i) AddMultiple(-of_rows[i], Row(i), values);
  for (double& value : values) value /= lambda_;
}

}  // namespace dtf
