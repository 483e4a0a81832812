#include "learn/questions/quasi_newton.h"

#include <utility>

#include "learn/questions/vectors.h"

namespace dtf {
namespace {

constexpr std::size_t kPairs = 8;

}  // namespace

void QuasiNewton::Add(std::vector<double> step, std::vector<double> change) {
  const double curvature = DotProduct(step, change);
  std::vector<double> solved = change;
  metric_(solved);
  const double of_change = DotProduct(change, solved);
  if (!(curvature > 1e-10 * of_change)) return;
  scale_ = curvature / of_change;
  pairs_.push_back({std::move(step), std::move(change), curvature});
  if (pairs_.size() > kPairs) pairs_.pop_front();
}

std::vector<double> QuasiNewton::Times(std::span<const double> gradient) const {
  std::vector<double> result(gradient.begin(), gradient.end());
  std::vector<double> shares(pairs_.size());
  for (std::size_t k = pairs_.size(); k-- > 0;) {
    shares[k] = DotProduct(pairs_[k].step, result) / pairs_[k].curvature;
    AddMultiple(-shares[k], pairs_[k].change, result);
  }
  metric_(result);
  if (remembers()) {
    for (double& value : result) value *= scale_;
  }
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const double share = DotProduct(pairs_[k].change, result) / pairs_[k].curvature;
    AddMultiple(shares[k] - share, pairs_[k].step, result);
  }
  return result;
}

}  // namespace dtf
