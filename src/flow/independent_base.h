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
#include "flow/unseen_mass.h"
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

  UnseenMass unseen() const { return unseen_; }  // 1 - Π_j (1 - ε_j)

  // A category drawn by 32 uniform random bits: of the 2^32 values, 2^32 Q_j(a) ± 1 give a. Never the unseen slot,
  // never a category of mass 0. O(1).
  Code Draw(std::size_t column, std::uint32_t bits) const {
    const AliasTable table = alias_tables_[column];
    const std::uint64_t cell_and_side = std::uint64_t{bits} << table.log_cells;
    const auto cell = static_cast<Code>(cell_and_side >> 32);
    const AliasCell drawn = alias_cells_[table.first + cell];  // both fields, so that there is no random branch
    return static_cast<std::uint32_t>(cell_and_side) < drawn.threshold ? cell : drawn.alias;
  }

  // Draws the rows with these numbers of the endless sample that `seed` stands for, into block[·][i] the i-th: a cell
  // is a function of seed, row and column. REQUIRES: block.columns() == columns() and block.rows() == numbers.size().
  void SampleRows(std::uint64_t seed, std::span<const std::uint64_t> numbers, CodeBlock& block) const;

  // Mean of -Σ_j ln Q_j over rows with these counts, in any unit, of each column's categories (and unseen slot, if
  // counts[j] has k_j + 1 entries), in nats. 0 for no rows.
  double MeanNll(const Ragged<std::uint64_t>& counts) const;

 private:
  // Walker's alias method, in whole numbers: 2^log_cells >= k_j cells share the 2^32 values equally. Of cell c's values
  // those below the threshold give category c, the others `alias`.
  struct AliasCell {
    std::uint32_t threshold = 0;  // in units of 2^-32 cells
    Code alias = 0;
  };
  struct AliasTable {
    std::size_t first = 0;  // its cells, in alias_cells_
    int log_cells = 0;
  };
  // shares: how many of the 2^32 values give each category; they add up.
  void AppendAliasTable(std::vector<std::uint64_t> shares);

  Ragged<std::uint64_t> counts_;
  double unit_;
  double alpha_;
  bool closed_;
  UnseenMass unseen_;
  std::vector<std::size_t> log_begin_;
  std::vector<double> log_probs_;         // k_j + 1 of each column
  std::vector<AliasTable> alias_tables_;  // of each column
  std::vector<AliasCell> alias_cells_;
};

}  // namespace dtf
