// The base distribution of a flow: every latent column on its own (paper section 3).
//   Q_j(a) = (count_j(a) + α) / (n + α k_j)
// A column that is not closed keeps the mass ε_j = α / (n + α (k_j + 1)) for values never seen, at code k_j; its
// categories share the rest: (1 - ε_j) Q_j.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ragged.h"
#include "dtf/table.h"
#include "tree/code_block.h"

namespace dtf {

class IndependentBase {
 public:
  // counts[j]: one for each of column j's k_j >= 1 categories, in units of `unit` rows (a power of two); equal sums.
  // alpha: >= 0, finite. closed: no mass for unseen values. REQUIRES: n > 0 or alpha > 0.
  IndependentBase(Ragged<std::uint64_t> counts, double unit, double alpha, bool closed);

  std::size_t columns() const { return counts_.size(); }
  const Ragged<std::uint64_t>& counts() const { return counts_; }
  double unit() const { return unit_; }
  double alpha() const { return alpha_; }
  bool closed() const { return closed_; }

  // ln Q_j of code {0, …, k_j}, in nats; -inf where the mass is 0.
  double LogProb(std::size_t column, Code code) const { return log_probs_[log_begin_[column] + code]; }
  std::span<const double> LogProbs(std::size_t column) const {
    return std::span(log_probs_).subspan(log_begin_[column], counts_[column].size() + 1);
  }

  // The probability kept for rows with a value never seen: 1 - Π_j (1 - ε_j).
  double UnseenMass() const { return unseen_mass_; }

  // A category drawn from Q_j by 64 uniform random bits. Never the unseen slot, never one of mass 0. O(1).
  Code Draw(std::size_t column, std::uint64_t bits) const {
    // Multiplied by k, the bits' integer part chooses a cell and the rest a side of it.
    const std::uint64_t product = (bits >> 32) * counts_[column].size();
    const std::uint64_t rest = (product << 32) | (bits & 0xFFFFFFFFu);
    const auto code = static_cast<Code>(product >> 32);
    const AliasCell& cell = alias_cells_[alias_begin_[column] + code];
    return rest < cell.threshold ? code : cell.alias;
  }

  // Mean of -Σ_j ln Q_j over rows with these counts, in any unit, of each column's categories (and unseen slot, if
  // counts[j] has k_j + 1 entries), in nats. 0 for no rows.
  double MeanNll(const Ragged<std::uint64_t>& counts) const;

 private:
  // Walker's alias method: of the k cells, each of mass 1/k, code c's holds c below the threshold and `alias` above.
  struct AliasCell {
    std::uint64_t threshold = 0;
    Code alias = 0;
  };
  void AppendAliasCells(std::span<const double> q);

  Ragged<std::uint64_t> counts_;
  double unit_;
  double alpha_;
  bool closed_;
  double unseen_mass_ = 0;
  std::vector<std::size_t> log_begin_;
  std::vector<double> log_probs_;  // k_j + 1 of each column
  std::vector<std::size_t> alias_begin_;
  std::vector<AliasCell> alias_cells_;  // k_j of each column
};

}  // namespace dtf
