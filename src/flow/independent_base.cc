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
    const double rows =
        unit_ * static_cast<double>(std::accumulate(of_column.begin(), of_column.end(), std::uint64_t{0}));
    const double unseen = closed_ ? 0 : alpha_ / (rows + alpha_ * (categories + 1));
    unseen_mass_ += (1 - unseen_mass_) * unseen;
    log_begin_.push_back(log_probs_.size());
    std::vector<double> probs;
    for (const std::uint64_t count : of_column) {
      const double q = (unit_ * static_cast<double>(count) + alpha_) / (rows + alpha_ * categories);
      probs.push_back(q);
      log_probs_.push_back(std::min(0.0, Ln((1 - unseen) * q)));
    }
    log_probs_.push_back(Ln(unseen));
    AppendAliasCells(probs);
  }
}

void IndependentBase::AppendAliasCells(std::span<const double> q) {
  alias_begin_.push_back(alias_cells_.size());
  const auto size = static_cast<double>(q.size());
  const auto likeliest = static_cast<Code>(std::max_element(q.begin(), q.end()) - q.begin());
  std::vector<double> mass;  // in cells
  std::vector<Code> small;
  std::vector<Code> large;
  for (Code code = 0; code < q.size(); ++code) {
    mass.push_back(q[code] * size);
    (mass.back() < 1 ? small : large).push_back(code);
  }
  std::vector<AliasCell> cells(q.size());
  while (!small.empty() && !large.empty()) {
    const Code less = small.back();
    const Code more = large.back();
    small.pop_back();
    cells[less] = {static_cast<std::uint64_t>(mass[less] * 0x1p64), more};
    mass[more] -= 1 - mass[less];
    if (mass[more] < 1) {
      large.pop_back();
      small.push_back(more);
    }
  }
  // What rounding leaves over fills its cell, unless it has no mass at all.
  for (const auto* rest : {&small, &large}) {
    for (const Code code : *rest) {
      cells[code] = q[code] > 0 ? AliasCell{~std::uint64_t{0}, code} : AliasCell{0, likeliest};
    }
  }
  alias_cells_.insert(alias_cells_.end(), cells.begin(), cells.end());
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
