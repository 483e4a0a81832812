#include "flow/answer_draws.h"

#include <algorithm>

namespace dtf {

AnswerDraws::AnswerDraws(std::uint64_t seed, std::span<const std::uint64_t> numbers)
    : seed_(seed), numbers_(numbers), first_(numbers.size()), taken_(numbers.size()) {
  rows_.reserve(numbers.size());
  for (const std::uint64_t number : numbers) {
    rows_.emplace_back(seed, RandomPurpose::kSample, number, kRowStream);
  }
  further_ = rows_;
}

void AnswerDraws::StartColumn(Feature column) {
  column_ = column;
  for (std::size_t i = 0; i < rows_.size(); ++i) first_[i] = rows_[i].Next() >> 11;
  std::ranges::fill(taken_, std::uint8_t{0});
}

std::uint64_t AnswerDraws::Next(std::size_t row) {
  if (taken_[row] == 0) {
    taken_[row] = 1;
    return first_[row];
  }
  if (taken_[row] == 1) {
    taken_[row] = 2;
    further_[row] = RandomStream(seed_, RandomPurpose::kSample, numbers_[row], ColumnStream(column_));
  }
  return further_[row].Next() >> 11;
}

}  // namespace dtf
