// The limited-memory BFGS approximation of an inverse Hessian (Nocedal, Wright: Numerical Optimization, algorithm 7.4).
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace dtf {

class QuasiNewton {
 public:
  // Replaces a vector by a first approximation of the inverse Hessian times it: symmetric, positive definite.
  using Metric = std::function<void(std::span<double>)>;

  explicit QuasiNewton(Metric metric) : metric_(std::move(metric)) {}

  // Adds a step, and the change of the gradient over it, of a function that is minimised. A pair without positive
  // curvature is ignored; of the others the last eight are kept.
  void Add(std::vector<double> step, std::vector<double> change);
  void Forget() { pairs_.clear(); }
  bool remembers() const { return !pairs_.empty(); }

  // The approximation times `gradient`.
  std::vector<double> Times(std::span<const double> gradient) const;

 private:
  struct Pair {
    std::vector<double> step;
    std::vector<double> change;
    double curvature;  // step · change
  };

  Metric metric_;
  std::deque<Pair> pairs_;  // the oldest first
  double scale_ = 1;        // of the metric, by the newest
};

}  // namespace dtf
