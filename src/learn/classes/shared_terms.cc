#include "learn/classes/shared_terms.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dtf {
namespace {

// Terms of tests that hardly any or nearly all rows pass move no faster than those of a test of this variance.
constexpr float kLeastVariance = 1e-3f;

}  // namespace

SharedTerms::SharedTerms(std::vector<std::size_t> first_question, std::vector<float> means, std::size_t questions)
    : first_question_(std::move(first_question)),
      means_(std::move(means)),
      questions_(questions),
      stride_(PaddedFloats(questions)),
      size_(stride_ * means_.size()),
      to_all_shifts_(questions) {
  for (AlignedBuffer<float>* numbers : {&terms_, &gradients_, &adam_means_, &adam_squares_}) {
    std::fill_n(numbers->Resize(size_), size_, 0.0f);
  }
  offsets_.Resize(stride_);
  shifts_.Resize(stride_);
  FindOffsets();
}

void SharedTerms::FindOffsets() {
  float* offsets = offsets_.data();
  std::fill_n(offsets, stride_, 0.0f);
  for (std::size_t test = 0; test < means_.size(); ++test) {
    const float* terms = terms_.data() + test * stride_;
    for (std::size_t q = first_question_[test]; q < questions_; ++q) offsets[q] -= means_[test] * terms[q];
  }
}

std::span<const float> SharedTerms::FindShifts(std::span<const std::uint32_t> passed) {
  float* shifts = shifts_.data();
  std::copy_n(offsets_.data(), stride_, shifts);
  for (const std::uint32_t test : passed) {
    const float* terms = terms_.data() + test * stride_;
    for (std::size_t q = first_question_[test]; q < questions_; ++q) shifts[q] += terms[q];
  }
  return {shifts, stride_};
}

void SharedTerms::AddGradient(std::span<const std::uint32_t> passed, std::span<const float> to_shifts) {
  for (std::size_t q = 0; q < questions_; ++q) to_all_shifts_[q] += to_shifts[q];
  for (const std::uint32_t test : passed) {
    float* gradients = gradients_.data() + test * stride_;
    for (std::size_t q = first_question_[test]; q < questions_; ++q) gradients[q] += to_shifts[q];
  }
}

void SharedTerms::Move(const AdamStep& step, float penalty) {
  for (std::size_t test = 0; test < means_.size(); ++test) {
    const std::size_t row = test * stride_;
    float* gradients = gradients_.data() + row;
    const float* terms = terms_.data() + row;
    for (std::size_t q = first_question_[test]; q < questions_; ++q) {
      const float of_size = terms[q] > 0 ? penalty : terms[q] < 0 ? -penalty : 0.0f;
      gradients[q] += of_size - means_[test] * to_all_shifts_[q];
    }
    AdamStep of_test = step;
    of_test.rate /= std::sqrt(std::max(means_[test] * (1 - means_[test]), kLeastVariance));
    MoveByAdam(of_test, {terms_.data() + row, stride_}, {gradients, stride_}, {adam_means_.data() + row, stride_},
               {adam_squares_.data() + row, stride_});
  }
  std::fill_n(gradients_.data(), size_, 0.0f);
  std::ranges::fill(to_all_shifts_, 0.0f);
  FindOffsets();
}

}  // namespace dtf
