// The function from a point to the logits of its class: a neural network with two hidden layers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "count/aligned_buffer.h"
#include "count/network_kernels.h"

namespace dtf {

class ClassNetwork {
 public:
  // offsets: by logit, added to the network's output. classes: a multiple of kFloatLanes. The first weights and the
  // shift of the points are drawn by `seed` and `number`.
  ClassNetwork(std::vector<float> offsets, std::size_t classes, std::uint64_t seed, std::uint64_t number);

  // Computes the classes' logits: logit l of class c at [l · classes + c].
  std::span<const float> FindLogits();
  // The gradient with respect to the logits, for the caller to fill; FindLogits sets it to 0.
  std::span<float> gradient() { return {to_logits_.data(), offsets_.size() * classes_}; }
  // The gradient with respect to the weights, from gradient().
  std::span<const float> PassBack();
  // A step of Adam against that gradient, which it computes.
  void Move(const AdamStep& step);

  // Multiplications of a step for each class, forward and back.
  static double ProductsOfStep(std::size_t logits);

  std::span<float> weights() { return {weights_.data(), size_}; }

 private:
  static constexpr std::size_t kDimensions = 4;
  static constexpr std::size_t kUnits = 64;  // of a hidden layer; the last one is always 1

  // Where a layer's weights begin, a row for each of its units: one weight for each unit of the layer before.
  struct Layer {
    std::size_t begin = 0;
    std::size_t units = 0;
    std::size_t inputs = kUnits;  // of a row
    std::size_t used_inputs = kUnits;
  };

  void PlacePoints(std::uint64_t seed, std::uint64_t number);
  void DrawWeights(std::uint64_t seed, std::uint64_t number);
  void FindHidden(const Layer& layer, const float* inputs, float* hidden) const;
  // From the gradient with respect to a layer's units to that with respect to its weights; and, unless `to_inputs` is
  // null, to that with respect to its inputs, which are then the units of a hidden layer.
  void PassThrough(const Layer& layer, const float* to_units, const float* inputs, float* to_inputs);

  std::vector<float> offsets_;
  std::size_t classes_;
  std::array<Layer, 3> layers_;
  std::size_t size_;  // of the following four
  AlignedBuffer<float> weights_;
  AlignedBuffer<float> gradients_;
  AlignedBuffer<float> means_;
  AlignedBuffer<float> squares_;
  // By unit, then class.
  AlignedBuffer<float> points_;  // the coordinates, then a 1
  std::array<AlignedBuffer<float>, 2> hidden_;
  AlignedBuffer<float> logits_;
  AlignedBuffer<float> to_logits_;
  std::array<AlignedBuffer<float>, 2> to_hidden_;
  AlignedBuffer<float> transposed_;
};

}  // namespace dtf
