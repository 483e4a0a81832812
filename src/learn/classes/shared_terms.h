// The terms that questions have in all classes: a matrix of tests and questions, in which a test has those of later
// columns. Logistic regressions of all columns at once, learnt by Adam; a penalty on the terms' sizes lets most of them
// stay near 0 (lasso: Tibshirani, J. R. Stat. Soc. B 1996). Deterministic: plain sums of single precision, in order.
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
  // first_question: of each test, the first one that has a term for it; all later ones have. means: the share of rows
  // that pass each test, neither 0 nor 1.
  SharedTerms(std::vector<std::size_t> first_question, std::vector<float> means, std::size_t questions);

  // What the terms add to a question's logit for a row that passes no test. Tests count by their difference from their
  // mean, so that a mean row's logits stay as they are.
  std::span<const float> offsets() const { return {offsets_.data(), questions_}; }
  float At(std::size_t test, std::size_t question) const { return terms_.data()[test * stride_ + question]; }

  // What they add to each question's logit, for a row that passes these tests.
  std::span<const float> FindShifts(std::span<const std::uint32_t> passed);

  // From the gradient by a row's shifts: by question.
  void AddGradient(std::span<const std::uint32_t> passed, std::span<const float> to_shifts);

  // Moves the terms against the gradients and against `penalty` times their sizes' gradient, and forgets the gradients.
  // The rate is for a test of variance 1.
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
