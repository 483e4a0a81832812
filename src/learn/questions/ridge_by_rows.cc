#include "learn/questions/ridge_by_rows.h"

#include <cmath>
#include <cstdint>

#include "base/stop.h"
#include "learn/questions/cholesky.h"

namespace dtf {
namespace {

double Dot(std::span<const double> a, std::span<const double> b) {
  double partial[4] = {};
  std::size_t k = 0;
  for (; k + 4 <= a.size(); k += 4) {
    for (std::size_t i = 0; i < 4; ++i) partial[i] += a[k + i] * b[k + i];
  }
  double sum = (partial[0] + partial[1]) + (partial[2] + partial[3]);
  for (; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace

RidgeByRows::RidgeByRows(const QuestionRows& train, double lambda)
    : RidgeMetric(lambda),
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
    for (std::size_t j = 0; j <= i; ++j) factor_[i * rows_ + j] = Dot(Row(i), Row(j)) + (i == j ? lambda : 0);
  }
  FactoriseInPlace(factor_, rows_);
}

void RidgeByRows::Solve(std::span<double> values) const {
  std::vector<double> of_rows(rows_);
  for (std::size_t i = 0; i < rows_; ++i) of_rows[i] = Dot(Row(i), values);
  SolveWithFactor(factor_, rows_, of_rows);
  for (std::size_t i = 0; i < rows_; ++i) {
    const std::span<const double> row = Row(i);
    for (std::size_t t = 0; t < tests_; ++t) values[t] -= of_rows[i] * row[t];
  }
  for (double& value : values) value /= lambda();
}

}  // namespace dtf
