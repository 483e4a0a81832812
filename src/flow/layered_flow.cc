#include "flow/layered_flow.h"

#include <algorithm>
#include <utility>

namespace dtf {

LayeredFlow::LayeredFlow(std::vector<Code> sizes, std::vector<Tsp> layers, Base base)
    : Flow(std::move(sizes)), layers_(std::move(layers)), base_(std::move(base)) {
  compiled_.reserve(layers_.size());
  for (const Tsp& layer : layers_) compiled_.emplace_back(layer, this->sizes());
}

const IndependentBase& LayeredFlow::independent_base() const {
  const auto* of_leaves = std::get_if<LeafBase>(&base_);
  return of_leaves == nullptr ? std::get<IndependentBase>(base_) : of_leaves->root();
}

CodeBlock LayeredFlow::Encode(CodeBlock block) const {
  for (const CompiledTsp& layer : compiled_) layer.Forward(block);
  return block;
}

CodeBlock LayeredFlow::Decode(CodeBlock latent) const {
  for (auto layer = compiled_.rbegin(); layer != compiled_.rend(); ++layer) layer->Inverse(latent);
  return latent;
}

void LayeredFlow::LogProb(CodeBlock block, std::span<double> out) const {
  std::fill_n(out.begin(), block.rows(), 0.0);
  ForEachColumnScore(std::move(block), [&](std::size_t /*j*/, std::size_t i, double score) { out[i] += score; });
}

void LayeredFlow::LogProbPerColumn(CodeBlock block, std::span<const std::span<double>> out) const {
  ForEachColumnScore(std::move(block), [&](std::size_t j, std::size_t i, double score) { out[j][i] = score; });
}

template <typename F>
void LayeredFlow::ForEachColumnScore(CodeBlock block, const F& f) const {
  const CodeBlock latent = Encode(std::move(block));
  if (const auto* of_leaves = std::get_if<LeafBase>(&base_)) {
    const std::vector<std::int32_t> leaf_of = compiled_.back().LeavesOfImages(latent);
    for (Feature j = 0; j < latent.columns(); ++j) {
      const auto codes = latent[j];
      for (std::size_t i = 0; i < codes.size(); ++i) f(j, i, of_leaves->LogProb(leaf_of[i], j, codes[i]));
    }
    return;
  }
  for (std::size_t j = 0; j < latent.columns(); ++j) {
    const auto codes = latent[j];
    const auto log_probs = std::get<IndependentBase>(base_).LogProbs(j);
    for (std::size_t i = 0; i < codes.size(); ++i) f(j, i, log_probs[codes[i]]);
  }
}

void LayeredFlow::SampleRows(std::uint64_t seed, std::span<const std::uint64_t> numbers, CodeBlock& block) const {
  std::visit([&](const auto& base) { base.SampleRows(seed, numbers, block); }, base_);
  block = Decode(std::move(block));
}

std::uint64_t LayeredFlow::NodeCount() const {
  std::uint64_t nodes = 0;
  for (const Tsp& layer : layers_) nodes += static_cast<std::uint64_t>(layer.size());
  return nodes;
}

std::uint64_t LayeredFlow::ParameterCount() const {
  const Code largest = sizes().empty() ? 0 : *std::max_element(sizes().begin(), sizes().end());
  std::uint64_t parameters = 0;
  for (const Tsp& layer : layers_) parameters += layer.ParameterCount(largest);
  return parameters;
}

}  // namespace dtf
