// The operations that train a small neural network: products of matrices, activations, Adam's step. Single precision
// with a fixed sequence of roundings, so that all vector instructions give the same bits.
//
// Matrices are dense, by rows, in aligned memory; rows have a multiple of kFloatLanes columns.
#pragma once

#include <cstddef>
#include <span>

namespace dtf {

inline constexpr std::size_t kFloatLanes = 32;

constexpr std::size_t PaddedFloats(std::size_t size) { return (size + kFloatLanes - 1) / kFloatLanes * kFloatLanes; }

// The left factor of a product; entry (i, k) at [i · row_step + k · column_step].
struct LeftFactor {
  const float* first = nullptr;
  std::size_t row_step = 0;
  std::size_t column_step = 0;
};

// sum += left · right, each entry's terms in their order. left: rows × inner; right: inner × columns.
void AddProduct(LeftFactor left, const float* right, std::size_t rows, std::size_t inner, std::size_t columns,
                float* sum);

// A leaky rectifier, in place: negative units are multiplied by 0.01. RectifyGradient turns the gradient with respect
// to its results, `active`, into that with respect to the units.
void Rectify(std::span<float> units);
void RectifyGradient(std::span<const float> active, std::span<float> gradient);

// Adam (Kingma & Ba, ICLR 2015) with decoupled decay of the weights (Loshchilov & Hutter, ICLR 2019).
struct AdamStep {
  float rate = 0;          // of the step, with the bias correction of the means
  float decay = 0;         // parameters first shrink by this share
  float share = 1;         // gradients are multiplied by it
  float square_scale = 1;  // bias correction of the mean squares
};
inline constexpr float kMeanKept = 0.9f;
inline constexpr float kSquareKept = 0.999f;

// Moves parameters against their gradients. All have the same size, a multiple of kFloatLanes.
void MoveByAdam(const AdamStep& step, std::span<float> parameters, std::span<const float> gradients,
                std::span<float> means, std::span<float> squares);

}  // namespace dtf
