#include "flow/independent_base.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/logarithm.h"

namespace dtf {

IndependentBase::IndependentBase(Ragged<std::uint64_t> counts, double unit, double alpha, bool closed)
    : counts_(std::move(counts)), unit_(unit), alpha_(alpha), closed_(closed) {
  for (std::size_t j = 0; j < counts_.size(); ++j) {
    const auto of_column = counts_[j];
    const auto categories = static_cast<double>(of_column.size());
    const double rows = unit_ * static_cast<double>(std::accumulate(of_column.begin(), of_column.end(), std::uint64_t{0}));
    const double unseen = closed_ ? 0 : alpha_ / (rows + alpha_ * (categories + 1));
    unseen_mass_ += (1 - unseen_mass_) * unseen;
    log_begin_.push_back(log_probs_.size());
    double cumulative = 0;
    for (const std::uint64_t count : of_column) {
      const double q = (unit_ * static_cast<double>(count) + alpha_) / (rows + alpha_ * categories);
      cumulative += q;
      cumulative_.push_back(cumulative);
      log_probs_.push_back(std::min(0.0, Ln((1 - unseen) * q)));
    }
    log_probs_.push_back(Ln(unseen));
    cumulative_.push_back(cumulative);
  }
}

Code IndependentBase::Draw(std::size_t column, double uniform) const {
  const auto begin = cumulative_.begin() + static_cast<std::ptrdiff_t>(log_begin_[column]);
  const auto end = begin + static_cast<std::ptrdiff_t>(counts_[column].size());
  const double total = *(end - 1);
  // The first category whose cumulative mass is above the draw has mass of its own.
  auto drawn = std::upper_bound(begin, end, uniform * total);
  if (drawn == end) drawn = std::lower_bound(begin, end, total);
  return static_cast<Code>(drawn - begin);
}

double IndependentBase::MeanNll(const Ragged<std::uint64_t>& counts) const {
  double nll = 0;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    const auto of_column = counts[j];
    const auto rows = static_cast<double>(std::accumulate(of_column.begin(), of_column.end(), std::uint64_t{0}));
    if (rows == 0) return 0;
    double of_column_nll = 0;
    for (std::size_t a = 0; a < of_column.size(); ++a) {
      if (of_column[a] > 0) of_column_nll -= static_cast<double>(of_column[a]) * LogProb(j, static_cast<Code>(a));
    }
    nll += of_column_nll / rows;
  }
  return nll;
}

}  // namespace dtf
