// A discrete flow (paper section 2): an invertible map f from rows to latent codes, and a base distribution Q of these.
// ln P(x) = ln Q(f(x)) exactly: a permutation of a discrete domain needs no Jacobian. No learning in here. Immutable,
// so safe to share among threads.
//
// Rows come in blocks; which rows share a block never changes a result, only the speed (BlockRows).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "flow/unseen_mass.h"
#include "tree/code_block.h"

namespace dtf {

class Flow {
 public:
  // sizes: number of categories of each column; a column of k categories has codes 0 … k - 1 and the unseen slot k.
  explicit Flow(std::vector<Code> sizes) : sizes_(std::move(sizes)) {}
  virtual ~Flow() = default;

  const std::vector<Code>& sizes() const { return sizes_; }

  // The number of codes of each latent column: sizes(), and before them, for a mixture, its number of members.
  virtual std::vector<Code> LatentSizes() const { return sizes_; }

  // Encode replaces each row by its latent codes, of which a column's highest is the most frequent or probable one;
  // Decode is its inverse. An unseen slot stays one. REQUIRES: block.columns() == sizes().size(), latent.columns() ==
  // LatentSizes().size().
  virtual CodeBlock Encode(CodeBlock block) const = 0;
  virtual CodeBlock Decode(CodeBlock latent) const = 0;

  // ln P of each row, in nats, into out[0, block.rows()): never above 0, -inf where the probability is 0.
  virtual void LogProb(CodeBlock block, std::span<double> out) const = 0;

  // Whether ln P is a sum over columns, and the summands: column j's into out[j], of block.rows() each. They add up to
  // LogProb, bit by bit, from column 0 on. REQUIRES: HasColumnScores().
  virtual bool HasColumnScores() const = 0;
  virtual void LogProbPerColumn(CodeBlock block, std::span<const std::span<double>> out) const = 0;

  // Whether each summand depends on its own column's code alone, and the summand of a code (the unseen slot included).
  // REQUIRES of FixedScore: HasFixedColumns().
  virtual bool HasFixedColumns() const { return false; }
  virtual double FixedScore(std::size_t /*column*/, Code /*code*/) const { return 0; }

  // Draws the rows with these numbers of the endless sample that `seed` stands for, into block[·][i] the i-th.
  // REQUIRES: block.rows() == numbers.size().
  virtual void SampleRows(std::uint64_t seed, std::span<const std::uint64_t> numbers, CodeBlock& block) const = 0;
  // The rows first_row, first_row + 1, …
  void Sample(std::uint64_t seed, std::uint64_t first_row, CodeBlock& block) const;

  // The number of rows of a block for which the work is fastest.
  virtual std::size_t BlockRows() const { return dtf::BlockRows(sizes_.size()); }

  virtual UnseenMass Unseen() const = 0;

  virtual std::uint64_t NodeCount() const = 0;       // of all trees, leaves included
  virtual std::uint64_t ParameterCount() const = 0;  // numbers that were learnt, the base's left out

 protected:
  Flow(const Flow&) = default;
  Flow(Flow&&) = default;
  Flow& operator=(const Flow&) = default;
  Flow& operator=(Flow&&) = default;

 private:
  std::vector<Code> sizes_;
};

}  // namespace dtf
