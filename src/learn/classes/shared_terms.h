// The terms that questions have in all classes: a matrix with a term for each test and each question of a later column.
// They are logistic regressions of all columns at once, learnt by Adam; a penalty on the terms' absolute values keeps
// most of them near 0 (lasso: Tibshirani, J. R. Stat. Soc. B 1996). Deterministic: single-precision sums in a fixed
// order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "count/aligned_buffer.h"
#include "count/network_kernels.h"

namespace dtf {

class SharedTerms {
 public:
  // first_question: by test, the first question that has a term for it; all later ones have one, too. means: the share
  // of rows that pass each test, neither 0 nor 1.
  SharedTerms(std::vector<std::size_t> first_question, std::vector<float> means, std::size_t questions);

  // By question, what the terms add to the logit of a row that passes no test. Tests are centred, so that this is not
  // 0, and the terms add 0 on average.
  std::span<const float> offsets() const { return {offsets_.data(), questions_}; }
  float At(std::size_t test, std::size_t question) const { return terms_.data()[test * stride_ + question]; }

  // By question, what the terms add to the logit of a row that passes these tests.
  std::span<const float> FindShifts(std::span<const std::uint32_t> passed);

  // Adds a row's gradient. to_shifts: the gradient with respect to the row's shifts, by question.
  void AddGradient(std::span<const std::uint32_t> passed, std::span<const float> to_shifts);

  // A step of Adam against the gradients added and `penalty` times the gradient of the terms' absolute values; then
  // sets the gradients to 0. The step's rate is for a test of variance 1.
  void Move(const AdamStep& step, float penalty);

 private:
  void FindOffsets();

  std::vector<std::size_t> first_question_;
  std::vector<float> means_;
  std::size_t questions_;
  std::size_t stride_;
  std::size_t size_;  // of the following four
  AlignedBuffer<float> terms_;
  AlignedBuffer<float> gradients_;
  AlignedBuffer<float> adam_means_;
  AlignedBuffer<float> adam_squares_;
  std::vector<float> to_all_shifts_;
  // By question, padded.
  AlignedBuffer<float> offsets_;
  AlignedBuffer<float> shifts_;
};

}  // namespace dtf
