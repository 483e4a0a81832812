#include "flow/flow.h"

#include <algorithm>
#include <utility>

#include "base/random.h"

namespace dtf {

Flow::Flow(std::vector<Code> sizes, std::vector<Tsp> layers, IndependentBase base)
    : sizes_(std::move(sizes)), layers_(std::move(layers)), base_(std::move(base)) {
  compiled_.reserve(layers_.size());
  for (const Tsp& layer : layers_) compiled_.emplace_back(layer, sizes_);
}

void Flow::Encode(CodeBlock& block) const {
  for (const CompiledTsp& layer : compiled_) layer.Forward(block);
}

void Flow::Decode(CodeBlock& block) const {
  for (auto layer = compiled_.rbegin(); layer != compiled_.rend(); ++layer) layer->Inverse(block);
}

void Flow::LogProb(CodeBlock& block, std::span<double> out) const {
  Encode(block);
  std::fill_n(out.begin(), block.rows(), 0.0);
  for (std::size_t j = 0; j < block.columns(); ++j) {
    const auto codes = std::as_const(block)[j];
    const auto log_probs = base_.LogProbs(j);
    for (std::size_t i = 0; i < codes.size(); ++i) out[i] += log_probs[codes[i]];
  }
}

void Flow::LogProbPerColumn(CodeBlock& block, std::span<const std::span<double>> out) const {
  Encode(block);
  for (std::size_t j = 0; j < block.columns(); ++j) {
    const auto codes = std::as_const(block)[j];
    for (std::size_t i = 0; i < codes.size(); ++i) out[j][i] = base_.LogProb(j, codes[i]);
  }
}

void Flow::Sample(std::uint64_t seed, std::uint64_t first_row, CodeBlock& block) const {
  for (std::size_t i = 0; i < block.rows(); ++i) {
    RandomStream random(seed, RandomPurpose::kSample, first_row + i);
    for (std::size_t j = 0; j < block.columns(); ++j) block[j][i] = base_.Draw(j, random.Next());
  }
  Decode(block);
}

std::uint64_t Flow::NodeCount() const {
  std::uint64_t nodes = 0;
  for (const Tsp& layer : layers_) nodes += static_cast<std::uint64_t>(layer.size());
  return nodes;
}

std::uint64_t Flow::ParameterCount() const {
  const Code largest = sizes_.empty() ? 0 : *std::max_element(sizes_.begin(), sizes_.end());
  std::uint64_t parameters = 0;
  for (const Tsp& layer : layers_) parameters += layer.ParameterCount(largest);
  return parameters;
}

}  // namespace dtf
