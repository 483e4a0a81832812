#include "count/network_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "count/network_kernels.cc"
#include "count/highway_targets.h"
// After the targets:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "count/floats-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rows and vectors of the result that are kept in registers.
constexpr std::size_t kTileRows = 4;
constexpr std::size_t kTileVectors = 2;

template <std::size_t rows>
HWY_INLINE void AddTile(LeftFactor left, const float* HWY_RESTRICT right, std::size_t inner, std::size_t columns,
                        float* HWY_RESTRICT sum) {
  const DF d;
  const std::size_t lanes = hn::Lanes(d);
  VF tile[rows][kTileVectors];
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t v = 0; v < kTileVectors; ++v) tile[i][v] = hn::Load(d, sum + i * columns + v * lanes);
  }
  for (std::size_t k = 0; k < inner; ++k) {
    const VF right_0 = hn::Load(d, right + k * columns);
    const VF right_1 = hn::Load(d, right + k * columns + lanes);
    for (std::size_t i = 0; i < rows; ++i) {
      const VF factor = hn::Set(d, left.first[i * left.row_step + k * left.column_step]);
      tile[i][0] = MulThenAdd(factor, right_0, tile[i][0]);
      tile[i][1] = MulThenAdd(factor, right_1, tile[i][1]);
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t v = 0; v < kTileVectors; ++v) hn::Store(tile[i][v], d, sum + i * columns + v * lanes);
  }
}

void AddProduct(LeftFactor left, const float* right, std::size_t rows, std::size_t inner, std::size_t columns,
                float* sum) {
  const std::size_t tile_columns = kTileVectors * hn::Lanes(DF());
  static_assert(kFloatLanes % (kTileVectors * hn::MaxLanes(DF())) == 0);
  for (std::size_t j = 0; j < columns; j += tile_columns) {
    std::size_t i = 0;
    const auto rest_of_left = [&] {
      return LeftFactor{left.first + i * left.row_step, left.row_step, left.column_step};
    };
    for (; i + kTileRows <= rows; i += kTileRows) {
      AddTile<kTileRows>(rest_of_left(), right + j, inner, columns, sum + i * columns + j);
    }
    for (; i < rows; ++i) AddTile<1>(rest_of_left(), right + j, inner, columns, sum + i * columns + j);
  }
}

constexpr float kLeak = 0.01f;

void Rectify(float* units, std::size_t size) {
  const DF d;
  const auto leak = hn::Set(d, kLeak);
  for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
    const auto unit = hn::Load(d, units + i);
    hn::Store(hn::Max(unit, hn::Mul(leak, unit)), d, units + i);
  }
}

void RectifyGradient(const float* active, float* gradient, std::size_t size) {
  const DF d;
  const auto leak = hn::Set(d, kLeak);
  for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
    const auto full = hn::Load(d, gradient + i);
    const auto is_negative = hn::Lt(hn::Load(d, active + i), hn::Zero(d));
    hn::Store(hn::IfThenElse(is_negative, hn::Mul(leak, full), full), d, gradient + i);
  }
}

void MoveByAdam(const AdamStep& step, float* parameters, const float* gradients, float* means, float* squares,
                std::size_t size) {
  const DF d;
  const auto share = hn::Set(d, step.share);
  const auto kept = hn::Set(d, 1 - step.decay);
  const auto rate = hn::Set(d, step.rate);
  const auto square_scale = hn::Set(d, step.square_scale);
  const auto least = hn::Set(d, 1e-8f);
  // Numbers that fade are taken for 0 before they become subnormal, which would take hundreds of cycles each.
  const auto faint = hn::Set(d, 1e-30f);
  const auto without_faint = [&](auto x) { return hn::IfThenElseZero(hn::Gt(hn::Abs(x), faint), x); };
  const auto of_mean = hn::Set(d, kMeanKept);
  const auto to_mean = hn::Set(d, 1 - kMeanKept);
  const auto of_square = hn::Set(d, kSquareKept);
  const auto to_square = hn::Set(d, 1 - kSquareKept);
  for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
    const auto gradient = hn::Mul(share, hn::Load(d, gradients + i));
    const auto mean = without_faint(MulThenAdd(to_mean, gradient, hn::Mul(of_mean, hn::Load(d, means + i))));
    const auto square =
        without_faint(MulThenAdd(to_square, hn::Mul(gradient, gradient), hn::Mul(of_square, hn::Load(d, squares + i))));
    const auto length = hn::Add(hn::Sqrt(hn::Mul(square, square_scale)), least);
    const auto moved = hn::Sub(hn::Mul(kept, hn::Load(d, parameters + i)), hn::Div(hn::Mul(rate, mean), length));
    hn::Store(moved, d, parameters + i);
    hn::Store(mean, d, means + i);
    hn::Store(square, d, squares + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dtf {

HWY_EXPORT(AddProduct);
HWY_EXPORT(Rectify);
HWY_EXPORT(RectifyGradient);
HWY_EXPORT(MoveByAdam);

void AddProduct(LeftFactor left, const float* right, std::size_t rows, std::size_t inner, std::size_t columns,
                float* sum) {
  HWY_DYNAMIC_DISPATCH(AddProduct)(left, right, rows, inner, columns, sum);
}

void Rectify(std::span<float> units) { HWY_DYNAMIC_DISPATCH(Rectify)(units.data(), units.size()); }

void RectifyGradient(std::span<const float> active, std::span<float> gradient) {
  HWY_DYNAMIC_DISPATCH(RectifyGradient)(active.data(), gradient.data(), gradient.size());
}

void MoveByAdam(const AdamStep& step, std::span<float> parameters, std::span<const float> gradients,
                std::span<float> means, std::span<float> squares) {
  HWY_DYNAMIC_DISPATCH(MoveByAdam)
  (step, parameters.data(), gradients.data(), means.data(), squares.data(), parameters.size());
}

}  // namespace dtf
#endif  // HWY_ONCE
