#include "learn/forest/mixture_weights.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/exponential.h"
#include "base/logarithm.h"

namespace dtf {
namespace {

// A member of this weight costs more than it brings, but its logarithm is still a number.
constexpr double kLeastWeight = 1e-6;

// joint[m] = w_m P_m(row) over the largest P; returns ln of their sum, with that put back.
double Join(const MemberScores& scores, std::span<const double> weights, std::size_t row, std::span<double> joint) {
  double most = scores[0][row];
  for (const auto& member : scores) most = std::max(most, member[row]);
  if (most == -std::numeric_limits<double>::infinity()) {  // it tells nothing about the members
    std::copy(weights.begin(), weights.end(), joint.begin());
    return most;
  }
  double sum = 0;
  for (std::size_t m = 0; m < scores.size(); ++m) {
    joint[m] = weights[m] * Exp(scores[m][row] - most);
    sum += joint[m];
  }
  for (double& share : joint) share /= sum;
  return most + Ln(sum);
}

}  // namespace

std::vector<double> FitWeights(const MemberScores& scores, std::span<const double> row_weights, int steps) {
  const std::size_t members = scores.size();
  std::vector<double> weights(members, 1.0 / static_cast<double>(members));
  std::vector<double> joint(members);
  for (int step = 0; step < steps; ++step) {
    std::vector<double> sums(members, 0);
    for (std::size_t i = 0; i < row_weights.size(); ++i) {
      Join(scores, weights, i, joint);
      for (std::size_t m = 0; m < members; ++m) sums[m] += row_weights[i] * joint[m];
    }
    const double total = std::accumulate(sums.begin(), sums.end(), 0.0);
    if (!(total > 0)) break;
    for (std::size_t m = 0; m < members; ++m) weights[m] = std::max(sums[m] / total, kLeastWeight);
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) weight /= sum;
  }
  return weights;
}

double MixtureScore(const MemberScores& scores, std::span<const double> weights, std::span<const double> row_weights) {
  std::vector<double> joint(scores.size());
  double sum = 0;
  double total = 0;
  for (std::size_t i = 0; i < row_weights.size(); ++i) {
    sum += row_weights[i] * Join(scores, weights, i, joint);
    total += row_weights[i];
  }
  return sum / total;
}

}  // namespace dtf
