// How much a fit may learn: counted in work, so that the same data give the same members; or by the clock.
#pragma once

#include <chrono>
#include <cstddef>

#include "learn/forest/forest_options.h"

namespace dtf {

// Work is in the unit of MemberFit: about a nanosecond of one core.
class Budget {
 public:
  // rows: distinct. Starts the clock.
  Budget(std::size_t rows, std::size_t columns, const ForestOptions& options);

  double total() const { return total_; }
  double used() const { return used_; }
  void Use(double work) { used_ += work; }
  void Return(double work) { used_ -= work; }

  // Whether so much more is within this share of the work that may be spent; always, when members are asked for by
  // their number. Or within the time, all of it: once it is not, nothing is any more, so that as many members, asked
  // for by their number, are the same ones.
  bool Affords(double work, double share = 1);
  // What the clock has said.
  bool is_out_of_time() const { return is_out_of_time_; }

 private:
  const ForestOptions& options_;
  double total_;
  double used_ = 0;
  std::chrono::steady_clock::time_point start_;
  bool is_out_of_time_ = false;
};

}  // namespace dtf
