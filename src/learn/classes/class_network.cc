#include "learn/classes/class_network.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/random.h"

namespace dtf {
namespace {

// Coordinates of the points lie within [-kMostCoordinate, kMostCoordinate].
constexpr double kMostCoordinate = 1.7;
// The root of x^5 = x + 1: the multiples of (1/x, 1/x², 1/x³, 1/x⁴), modulo 1, fill four dimensions evenly, as those of
// the golden ratio fill a line.
constexpr double kRoot = 1.1673039782614187;
// The last layer's first weights are so many times as large as usual, so that classes differ from the start.
constexpr double kSpread = 4;

void FillZero(AlignedBuffer<float>& numbers, std::size_t size) { std::fill_n(numbers.Resize(size), size, 0.0f); }

void Transpose(const float* from, std::size_t rows, std::size_t columns, float* to) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) to[j * rows + i] = from[i * columns + j];
  }
}

}  // namespace

double ClassNetwork::ProductsOfStep(std::size_t logits) {
  constexpr std::size_t kPasses = 3;  // forward, back to the weights, back to the units
  return static_cast<double>(kPasses * kUnits * (kUnits + logits));
}

ClassNetwork::ClassNetwork(std::vector<float> offsets, std::size_t classes, std::uint64_t seed, std::uint64_t number)
    : offsets_(std::move(offsets)), classes_(classes) {
  layers_[0] = {.begin = 0, .units = kUnits, .inputs = kFloatLanes, .used_inputs = kDimensions + 1};
  layers_[1] = {.begin = kUnits * kFloatLanes, .units = kUnits};
  layers_[2] = {.begin = layers_[1].begin + kUnits * kUnits, .units = offsets_.size()};
  size_ = layers_[2].begin + offsets_.size() * kUnits;
  for (AlignedBuffer<float>* numbers : {&weights_, &gradients_, &means_, &squares_}) FillZero(*numbers, size_);
  for (AlignedBuffer<float>& hidden : hidden_) hidden.Resize(kUnits * classes_);
  for (AlignedBuffer<float>& to_hidden : to_hidden_) to_hidden.Resize(kUnits * classes_);
  logits_.Resize(offsets_.size() * classes_);
  to_logits_.Resize(offsets_.size() * classes_);
  transposed_.Resize(kUnits * classes_);
  PlacePoints(seed, number);
  DrawWeights(seed, number);
}

void ClassNetwork::PlacePoints(std::uint64_t seed, std::uint64_t number) {
  FillZero(points_, kFloatLanes * classes_);
  RandomStream random(seed, RandomPurpose::kClasses, 0, number);
  double stride = 1;
  for (std::size_t dimension = 0; dimension < kDimensions; ++dimension) {
    stride /= kRoot;
    const double shift = random.Uniform();
    for (std::size_t c = 0; c < classes_; ++c) {
      const double at = shift + static_cast<double>(c) * stride;
      points_.data()[dimension * classes_ + c] = static_cast<float>(kMostCoordinate * (2 * (at - std::floor(at)) - 1));
    }
  }
  std::fill_n(points_.data() + kDimensions * classes_, classes_, 1.0f);
}

void ClassNetwork::DrawWeights(std::uint64_t seed, std::uint64_t number) {
  RandomStream random(seed, RandomPurpose::kClasses, 1, number);
  for (const Layer& layer : layers_) {
    const double spread = (&layer == &layers_.back() ? kSpread : 1) / std::sqrt(static_cast<double>(layer.used_inputs));
    for (std::size_t unit = 0; unit < layer.units; ++unit) {
      float* row = weights_.data() + layer.begin + unit * layer.inputs;
      for (std::size_t i = 0; i < layer.used_inputs; ++i) {
        row[i] = static_cast<float>(spread * (2 * random.Uniform() - 1));
      }
    }
  }
}

void ClassNetwork::FindHidden(const Layer& layer, const float* inputs, float* hidden) const {
  std::fill_n(hidden, kUnits * classes_, 0.0f);
  AddProduct({weights_.data() + layer.begin, layer.inputs, 1}, inputs, kUnits, layer.used_inputs, classes_, hidden);
  Rectify({hidden, kUnits * classes_});
  std::fill_n(hidden + (kUnits - 1) * classes_, classes_, 1.0f);
}

std::span<const float> ClassNetwork::FindLogits() {
  FindHidden(layers_[0], points_.data(), hidden_[0].data());
  FindHidden(layers_[1], hidden_[0].data(), hidden_[1].data());
  for (std::size_t l = 0; l < offsets_.size(); ++l) {
    std::fill_n(logits_.data() + l * classes_, classes_, offsets_[l]);
  }
  const Layer& last = layers_[2];
  AddProduct({weights_.data() + last.begin, last.inputs, 1}, hidden_[1].data(), last.units, kUnits, classes_,
             logits_.data());
  std::ranges::fill(gradient(), 0.0f);
  return {logits_.data(), offsets_.size() * classes_};
}

void ClassNetwork::PassThrough(const Layer& layer, const float* to_units, const float* inputs, float* to_inputs) {
  Transpose(inputs, layer.inputs, classes_, transposed_.data());
  AddProduct({to_units, classes_, 1}, transposed_.data(), layer.units, classes_, layer.inputs,
             gradients_.data() + layer.begin);
  if (to_inputs == nullptr) return;
  std::fill_n(to_inputs, kUnits * classes_, 0.0f);
  AddProduct({weights_.data() + layer.begin, 1, layer.inputs}, to_units, kUnits, layer.units, classes_, to_inputs);
  RectifyGradient({inputs, kUnits * classes_}, {to_inputs, kUnits * classes_});
  std::fill_n(to_inputs + (kUnits - 1) * classes_, classes_, 0.0f);
}

std::span<const float> ClassNetwork::PassBack() {
  std::fill_n(gradients_.data(), size_, 0.0f);
  PassThrough(layers_[2], to_logits_.data(), hidden_[1].data(), to_hidden_[1].data());
  PassThrough(layers_[1], to_hidden_[1].data(), hidden_[0].data(), to_hidden_[0].data());
  PassThrough(layers_[0], to_hidden_[0].data(), points_.data(), nullptr);
  return {gradients_.data(), size_};
}

void ClassNetwork::Move(const AdamStep& step) {
  MoveByAdam(step, weights(), PassBack(), {means_.data(), size_}, {squares_.data(), size_});
}

}  // namespace dtf
