// How much a forest may learn: bounded in counted work, so that the same data give the same members; or by the clock.
#pragma once

#include <chrono>
#include <cstddef>

#include "learn/forest/forest_options.h"

namespace dtf {

// Work is in the unit of MemberFit: about a nanosecond of one core.
class Budget {
 public:
  // rows: distinct. cross_validates: each member is learnt several times (Judge::CrossValidates). Starts the clock.
  Budget(std::size_t rows, std::size_t columns, bool cross_validates, const ForestOptions& options);

  double total() const { return total_; }
  double used() const { return used_; }
  void Use(double work) { used_ += work; }
  void Return(double work) { used_ -= work; }

  // Whether `work` more stays within `share` of the total work; always true when a number of members is asked for. With
  // a time limit: whether it is expected to stay within that, whatever the share. Once it is not, nothing is affordable
  // any more, so that the same number of members, asked for by number, are the same ones.
  bool Affords(double work, double share = 1);
  // Whether Affords has ever answered no because of the time limit.
  bool is_out_of_time() const { return is_out_of_time_; }

 private:
  const ForestOptions& options_;
  double total_;
  double used_ = 0;
  std::chrono::steady_clock::time_point start_;
  bool is_out_of_time_ = false;
};

}  // namespace dtf
