// What the learners of classes that go by small steps share: how many there are, how far they go, and which rows each
// one sees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "count/network_kernels.h"
#include "learn/weighted_rows.h"

namespace dtf {

struct Pace {
  std::size_t batch = 0;  // rows of a step
  std::size_t steps = 0;
};

// Of a small table a step sees fewer rows than `most_of_batch`, so that there are enough steps.
Pace PaceFor(double rows, double passes, double most_of_batch);

// Adam's steps one after the other: the rate falls from the first one's to 0 as half a wave does.
class StepSizes {
 public:
  explicit StepSizes(const Pace& pace) : pace_(pace) {}

  // Goes on to the next step.
  void Next();
  // Its size, for parameters of this first rate that shrink by `decay` times the rate.
  AdamStep Of(double rate, double decay) const;

 private:
  Pace pace_;
  std::size_t step_ = 0;    // that are over
  double rate_left_ = 0;    // of this step
  double mean_left_ = 1;    // of Adam's beginnings
  double square_left_ = 1;  // likewise
};

// Draws rows by weight: one from each of so many equal parts of the table.
class RowDraws {
 public:
  RowDraws(const WeightedRows& rows, std::uint64_t seed, std::uint64_t number);

  std::vector<std::size_t> Draw(std::size_t step, std::size_t count) const;

 private:
  std::uint64_t seed_;
  std::uint64_t number_;
  std::vector<double> weight_until_;  // by row: of those up to it
};

}  // namespace dtf
