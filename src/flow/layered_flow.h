// The flow of the paper: a sequence of TSPs, each applied to what the one before it gave, and a base distribution.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "flow/flow.h"
#include "flow/independent_base.h"
#include "tree/compiled_tsp.h"
#include "tree/tsp.h"

namespace dtf {

class LayeredFlow : public Flow {
 public:
  // sizes: number of categories of each column, as in `base`; `layers` were made with the same.
  LayeredFlow(std::vector<Code> sizes, std::vector<Tsp> layers, IndependentBase base);

  const std::vector<Tsp>& layers() const { return layers_; }
  const IndependentBase& base() const { return base_; }

  CodeBlock Encode(CodeBlock block) const override;
  CodeBlock Decode(CodeBlock latent) const override;
  void LogProb(CodeBlock block, std::span<double> out) const override;
  bool HasColumnScores() const override { return true; }
  void LogProbPerColumn(CodeBlock block, std::span<const std::span<double>> out) const override;
  void SampleRows(std::uint64_t seed, std::span<const std::uint64_t> numbers, CodeBlock& block) const override;
  double UnseenMass() const override { return base_.UnseenMass(); }
  std::uint64_t NodeCount() const override;
  std::uint64_t ParameterCount() const override;  // as the paper's tables count (Tsp::ParameterCount)

 private:
  std::vector<Tsp> layers_;
  std::vector<CompiledTsp> compiled_;
  IndependentBase base_;
};

}  // namespace dtf
