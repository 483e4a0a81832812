// What the learners of classes by stochastic gradient steps share: the number of steps, their sizes, and the rows that
// each one sees.
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

// rows, passes: over all of the rows. In a small table a batch is smaller than `most_of_batch`, so that there are
// enough steps.
Pace PaceFor(double rows, double passes, double most_of_batch);

// The sizes of Adam's steps, one after the other: the rate falls smoothly from its first value to 0.
class StepSizes {
 public:
  explicit StepSizes(const Pace& pace) : pace_(pace) {}

  // Goes on to the next step.
  void Next();
  // The step's size, for parameters with this first rate and a weight decay of `decay` times the rate.
  AdamStep Of(double rate, double decay) const;

 private:
  Pace pace_;
  std::size_t step_ = 0;    // steps so far
  double rate_left_ = 0;    // this step's rate, as a share of the first one
  double mean_left_ = 1;    // what is left of the zeros that Adam's mean began with
  double square_left_ = 1;  // likewise of its mean square
};

// Draws rows by weight, stratified: one from each of `count` parts of the table of equal weight.
class RowDraws {
 public:
  RowDraws(const WeightedRows& rows, std::uint64_t seed, std::uint64_t number);

  std::vector<std::size_t> Draw(std::size_t step, std::size_t count) const;

 private:
  std::uint64_t seed_;
  std::uint64_t number_;
  std::vector<double> weight_until_;  // by row: weight of the rows up to and with it
};

}  // namespace dtf
