#include "learn/classes/class_steps.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace dtf {
namespace {

constexpr double kLeastOfBatch = 32;
constexpr double kBatchesOfTable = 8;

}  // namespace

Pace PaceFor(double rows, double passes, double most_of_batch) {
  const double batch = std::floor(std::clamp(rows / kBatchesOfTable, kLeastOfBatch, most_of_batch));
  return {static_cast<std::size_t>(batch), static_cast<std::size_t>(std::ceil(passes * rows / batch))};
}

void StepSizes::Next() {
  const double x = static_cast<double>(step_++) / static_cast<double>(pace_.steps);
  rate_left_ = 1 - x * x * (3 - 2 * x);
  mean_left_ *= kMeanKept;
  square_left_ *= kSquareKept;
}

AdamStep StepSizes::Of(double rate, double decay) const {
  return {.rate = static_cast<float>(rate * rate_left_ / (1 - mean_left_)),
          .decay = static_cast<float>(rate * rate_left_ * decay),
          .share = static_cast<float>(1 / static_cast<double>(pace_.batch)),
          .square_scale = static_cast<float>(1 / (1 - square_left_))};
}

RowDraws::RowDraws(const WeightedRows& rows, std::uint64_t seed, std::uint64_t number) : seed_(seed), number_(number) {
  double total = 0;
  for (std::size_t i = 0; i < rows.codes.rows; ++i) {
    total += static_cast<double>(rows.WeightOf(i));
    weight_until_.push_back(total);
  }
}

std::vector<std::size_t> RowDraws::Draw(std::size_t step, std::size_t count) const {
  RandomStream random(seed_, RandomPurpose::kClasses, 2 + step, number_);
  const double part = weight_until_.back() / static_cast<double>(count);
  std::vector<std::size_t> rows;
  for (std::size_t b = 0; b < count; ++b) {
    const double at = (static_cast<double>(b) + random.Uniform()) * part;
    const auto found = std::upper_bound(weight_until_.begin(), weight_until_.end() - 1, at);
    rows.push_back(static_cast<std::size_t>(found - weight_until_.begin()));
  }
  return rows;
}

}  // namespace dtf
