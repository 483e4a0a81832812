// The flow of the paper: a sequence of TSPs, each applied to what the one before it gave, and a base distribution:
// independent columns, or these in the context of the last TSP's leaf.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "flow/flow.h"
#include "flow/independent_base.h"
#include "flow/leaf_base.h"
#include "tree/compiled_tsp.h"
#include "tree/tsp.h"

namespace dtf {

class LayeredFlow : public Flow {
 public:
  using Base = std::variant<IndependentBase, LeafBase>;

  // sizes: number of categories of each column, as in `base`; `layers` were made with the same. A LeafBase is of the
  // last of them.
  LayeredFlow(std::vector<Code> sizes, std::vector<Tsp> layers, Base base);

  const std::vector<Tsp>& layers() const { return layers_; }
  const std::vector<CompiledTsp>& compiled() const { return compiled_; }  // one for each of layers()
  const Base& base() const { return base_; }
  // The independent base, or the one that the leaves start from.
  const IndependentBase& independent_base() const;

  CodeBlock Encode(CodeBlock block) const override;
  CodeBlock Decode(CodeBlock latent) const override;
  void LogProb(CodeBlock block, std::span<double> out) const override;
  bool HasColumnScores() const override { return true; }
  void LogProbPerColumn(CodeBlock block, std::span<const std::span<double>> out) const override;
  void SampleRows(std::uint64_t seed, std::span<const std::uint64_t> numbers, CodeBlock& block) const override;
  UnseenMass Unseen() const override { return independent_base().unseen(); }
  std::uint64_t NodeCount() const override;
  std::uint64_t ParameterCount() const override;  // as the paper's tables count (Tsp::ParameterCount)

 private:
  // f(column, row, its summand of the row's ln P).
  template <typename F>
  void ForEachColumnScore(CodeBlock block, const F& f) const;

  std::vector<Tsp> layers_;
  std::vector<CompiledTsp> compiled_;
  Base base_;
};

}  // namespace dtf
