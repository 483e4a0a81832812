#include "learn/forest/mixture_weights.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/exponential.h"
#include "base/logarithm.h"
#include "base/stop.h"

namespace dtf {
namespace {

// A member of this weight costs more than it brings, but its logarithm is still a number.
constexpr double kLeastMemberWeight = 1e-6;

// The members' probabilities of each row, over the largest of them: exponentials are taken once, not in each step.
class Likelihoods {
 public:
  explicit Likelihoods(const MemberScores& scores)
      : members_(scores.size()), most_(scores[0]), relative_(scores[0].size() * members_), joint_(members_) {
    for (const auto& member : scores) {
      for (std::size_t i = 0; i < most_.size(); ++i) most_[i] = std::max(most_[i], member[i]);
    }
    for (std::size_t m = 0; m < members_; ++m) {
      for (std::size_t i = 0; i < most_.size(); ++i) {
        if (!TellsNothing(i)) relative_[i * members_ + m] = Exp(scores[m][i] - most_[i]);
      }
    }
  }

  // The members' shares of a row: w_m P_m over their sum.
  std::span<const double> Share(std::size_t row, std::span<const double> weights) {
    if (TellsNothing(row)) {
      std::copy(weights.begin(), weights.end(), joint_.begin());
      return joint_;
    }
    const double sum = Join(row, weights);
    for (double& share : joint_) share /= sum;
    return joint_;
  }

  // ln Σ_m w_m P_m of a row.
  double Score(std::size_t row, std::span<const double> weights) {
    return TellsNothing(row) ? most_[row] : most_[row] + Ln(Join(row, weights));
  }

 private:
  // No member has a probability for it.
  bool TellsNothing(std::size_t row) const { return most_[row] == -std::numeric_limits<double>::infinity(); }

  double Join(std::size_t row, std::span<const double> weights) {
    double sum = 0;
    for (std::size_t m = 0; m < members_; ++m) {
      joint_[m] = weights[m] * relative_[row * members_ + m];
      sum += joint_[m];
    }
    return sum;
  }

  std::size_t members_;
  std::vector<double> most_;
  std::vector<double> relative_;  // of row i and member m at [i · members + m]
  std::vector<double> joint_;
};

// Members of the same group get its mean.
void ShareEvenly(std::span<const std::size_t> groups, std::vector<double>& values) {
  std::vector<double> sums(*std::max_element(groups.begin(), groups.end()) + 1);
  std::vector<double> sizes(sums.size());
  for (std::size_t m = 0; m < values.size(); ++m) {
    sums[groups[m]] += values[m];
    ++sizes[groups[m]];
  }
  for (std::size_t m = 0; m < values.size(); ++m) values[m] = sums[groups[m]] / sizes[groups[m]];
}

}  // namespace

std::vector<double> FitWeights(const MemberScores& scores, std::span<const std::size_t> groups,
                               std::span<const double> row_weights, int steps) {
  const std::size_t members = scores.size();
  std::vector<double> weights(members, 1.0 / static_cast<double>(members));
  Likelihoods likelihoods(scores);
  for (int step = 0; step < steps; ++step) {
    ThrowIfStopped();
    std::vector<double> sums(members, 0);
    for (std::size_t i = 0; i < row_weights.size(); ++i) {
      const auto shares = likelihoods.Share(i, weights);
      for (std::size_t m = 0; m < members; ++m) sums[m] += row_weights[i] * shares[m];
    }
    const double total = std::accumulate(sums.begin(), sums.end(), 0.0);
    if (!(total > 0)) break;
    ShareEvenly(groups, sums);
    for (std::size_t m = 0; m < members; ++m) weights[m] = std::max(sums[m] / total, kLeastMemberWeight);
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) weight /= sum;
  }
  return weights;
}

double MixtureScore(const MemberScores& scores, std::span<const double> weights, std::span<const double> row_weights) {
  Likelihoods likelihoods(scores);
  double sum = 0;
  double total = 0;
  for (std::size_t i = 0; i < row_weights.size(); ++i) {
    sum += row_weights[i] * likelihoods.Score(i, weights);
    total += row_weights[i];
  }
  return sum / total;
}

// ln of a mean of K exponentials that vary by chance is, to second order, their mean exponent and (1 - 1/K) times half
// the variance.
double ExtrapolatedScore(const MemberScores& scores, std::span<const double> row_weights, int count) {
  const auto members = static_cast<double>(scores.size());
  double mean = 0;
  for (const auto& member : scores) mean += MixtureScore({member}, std::vector<double>{1.0}, row_weights) / members;
  if (scores.size() == 1) return mean;
  const double mixed = MixtureScore(scores, std::vector<double>(scores.size(), 1 / members), row_weights);
  return mean + (mixed - mean) * (1 - 1.0 / count) / (1 - 1 / members);
}

}  // namespace dtf
