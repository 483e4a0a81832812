// A discrete flow (paper section 2): a sequence of TSPs and a base distribution. ln P(x) = ln Q(f(x)) exactly: a
// permutation of a discrete domain needs no Jacobian. No learning in here. Immutable, so safe to share among threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "flow/independent_base.h"
#include "tree/code_block.h"
#include "tree/compiled_tsp.h"
#include "tree/tsp.h"

namespace dtf {

class Flow {
 public:
  // sizes: number of categories of each column, as in `base`; `layers` were made with the same.
  Flow(std::vector<Code> sizes, std::vector<Tsp> layers, IndependentBase base);

  const std::vector<Code>& sizes() const { return sizes_; }
  const std::vector<Tsp>& layers() const { return layers_; }
  const IndependentBase& base() const { return base_; }

  // f: each row becomes its latent codes, of which the highest is the most frequent; and back. A column's unseen slot
  // (code k_j) stays. Rows × columns codes, in place.
  void Encode(CodeBlock& block) const;
  void Decode(CodeBlock& block) const;

  // ln P of each row, in nats, into out[0, block.rows()); `block` is left encoded.
  void LogProb(CodeBlock& block, std::span<double> out) const;
  // The summands of LogProb: column j's into out[j]. block.columns() × block.rows().
  void LogProbPerColumn(CodeBlock& block, std::span<const std::span<double>> out) const;

  // Draws rows first_row, first_row + 1, … of the endless sample that `seed` stands for.
  void Sample(std::uint64_t seed, std::uint64_t first_row, CodeBlock& block) const;

  std::uint64_t NodeCount() const;
  std::uint64_t ParameterCount() const;  // as the paper's tables count (Tsp::ParameterCount), the base's left out

 private:
  std::vector<Code> sizes_;
  std::vector<Tsp> layers_;
  std::vector<CompiledTsp> compiled_;
  IndependentBase base_;
};

}  // namespace dtf
