#include "count/split_kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "count/split_kernels.cc"
#include "count/highway_targets.h"
// After the targets:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D64 = hn::CappedTag<std::uint64_t, 8>;
using V64 = hn::Vec<D64>;
using DF = hn::CappedTag<float, 16>;
using DI = hn::RebindToSigned<DF>;
using VF = hn::Vec<DF>;
using VI = hn::Vec<DI>;

constexpr std::size_t kPanelLanes = PlanePanels::kLanes;
constexpr std::size_t kLanes64 = hn::MaxLanes(D64());
// Items summed at a time, one register for each vector of them.
constexpr std::size_t kVectors = std::min<std::size_t>(kPanelLanes / kLanes64, 4);

std::size_t FindPassing(const std::uint64_t* HWY_RESTRICT test, const std::uint64_t* HWY_RESTRICT rows,
                        std::size_t words, std::uint64_t* HWY_RESTRICT passing) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < words; ++w) {
    passing[w] = test[w * kPanelLanes] & rows[w];
    count += static_cast<std::size_t>(std::popcount(passing[w]));
  }
  return count;
}

HWY_INLINE V64 CountsOf(V64 bits) {
#if HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_SCALAR
  return hn::PopulationCount(bits);
#else
  const hn::Repartition<std::uint8_t, D64> d8;
  return hn::SumsOf8(hn::PopulationCount(hn::BitCast(d8, bits)));
#endif
}

// The low halves of the 64-bit sums.
HWY_INLINE void StoreSums(const V64 (&sums)[kVectors], std::int32_t* HWY_RESTRICT out) {
  const D64 d;
  const hn::Rebind<std::uint32_t, D64> d32;
  for (std::size_t v = 0; v < kVectors; ++v) {
    hn::StoreU(hn::TruncateTo(d32, sums[v]), d32, reinterpret_cast<std::uint32_t*>(out) + v * hn::Lanes(d));
  }
}

// One number's sums for kVectors vectors of items.
HWY_INLINE void SumNumber(const std::uint64_t* HWY_RESTRICT items, const std::uint64_t* HWY_RESTRICT planes,
                          std::size_t words, int bits, bool is_signed, std::int32_t* HWY_RESTRICT out) {
  const D64 d;
  V64 sums[kVectors];
  for (V64& sum : sums) sum = hn::Zero(d);
  for (int b = 0; b < bits; ++b) {
    V64 counts[kVectors];
    for (V64& count : counts) count = hn::Zero(d);
    for (std::size_t w = 0; w < words; ++w) {
      const V64 plane = hn::Set(d, *planes++);
      for (std::size_t v = 0; v < kVectors; ++v) {
        const V64 item = hn::Load(d, items + w * kPanelLanes + v * kLanes64);
        counts[v] = hn::Add(counts[v], CountsOf(hn::And(item, plane)));
      }
    }
    const bool negative = is_signed && b == bits - 1;
    for (std::size_t v = 0; v < kVectors; ++v) {
      const V64 share = hn::ShiftLeftSame(counts[v], b);
      sums[v] = negative ? hn::Sub(sums[v], share) : hn::Add(sums[v], share);
    }
  }
  StoreSums(sums, out);
}

void SumPassingFewWords(const PlanePanels& tests, const SummedPlanes& planes, std::int32_t* HWY_RESTRICT first,
                        std::int32_t* HWY_RESTRICT second) {
  const std::size_t words = tests.words();
  const std::uint64_t* second_plane = planes.first_plane + static_cast<std::size_t>(planes.first_bits) * words;
  for (std::size_t t = 0; t < tests.items(); t += kVectors * kLanes64) {
    const std::uint64_t* items = tests.Panel(t / kPanelLanes, 0) + t % kPanelLanes;
    SumNumber(items, planes.first_plane, words, planes.first_bits, planes.first_is_signed, first + t);
    SumNumber(items, second_plane, words, planes.second_bits, false, second + t);
  }
}

// The gains of a vector of tests. Never fused: each operation rounds.
HWY_INLINE VF NewtonGains(const NewtonTerms& terms, float node_g, float node_h, float before, VI gradients,
                          VI hessians) {
  const DF d;
  const VF lambda = hn::Set(d, terms.lambda);
  const VF least = hn::Set(d, terms.min_hessian);
  const VF pass_g = hn::Mul(hn::ConvertTo(d, gradients), hn::Set(d, terms.gradient_unit));
  const VF pass_h = hn::Mul(hn::ConvertTo(d, hessians), hn::Set(d, terms.hessian_unit));
  const VF fail_g = hn::Sub(hn::Set(d, node_g), pass_g);
  const VF fail_h = hn::Sub(hn::Set(d, node_h), pass_h);
  const VF pass = hn::Div(hn::Mul(pass_g, pass_g), hn::Add(pass_h, lambda));
  const VF fail = hn::Div(hn::Mul(fail_g, fail_g), hn::Add(fail_h, lambda));
  const VF more = hn::Sub(hn::Add(pass, fail), hn::Set(d, before));
  const VF gain = hn::Sub(hn::Mul(hn::Set(d, 0.5f), more), hn::Set(d, terms.min_gain));
  return hn::IfThenElseZero(hn::And(hn::Ge(pass_h, least), hn::Ge(fail_h, least)), gain);
}

void FindBestNewtonSplit(const NewtonTerms& terms, float node_g, float node_h, const std::int32_t* gradients,
                         const std::int32_t* hessians, std::size_t size, SplitChoice* choice) {
  const DF d;
  const DI di;
  const float before = node_g * node_g / (node_h + terms.lambda);
  VF best = hn::Zero(d);  // of each lane
  VI best_test = hn::Zero(di);
  const VI lanes = hn::Iota(di, 0);
  std::size_t t = 0;
  const auto keep_best = [&](VI g, VI h) HWY_ATTR {
    const VF gain = NewtonGains(terms, node_g, node_h, before, g, h);
    const auto better = hn::Gt(gain, best);
    best = hn::IfThenElse(better, gain, best);
    const VI tests = hn::Add(hn::Set(di, static_cast<std::int32_t>(t)), lanes);
    best_test = hn::IfThenElse(hn::RebindMask(di, better), tests, best_test);
  };
  for (; t + hn::Lanes(d) <= size; t += hn::Lanes(d)) {
    keep_best(hn::LoadU(di, gradients + t), hn::LoadU(di, hessians + t));
  }
  // Lanes beyond the end repeat the last test; the first of equals is taken.
  if (t < size) {
    std::int32_t last[2][hn::MaxLanes(di)];
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
      last[0][i] = gradients[std::min(t + i, size - 1)];
      last[1][i] = hessians[std::min(t + i, size - 1)];
    }
    keep_best(hn::LoadU(di, last[0]), hn::LoadU(di, last[1]));
  }
  const VF most = hn::MaxOfLanes(d, best);
  const VI none = hn::Set(di, static_cast<std::int32_t>(size));
  const VI first = hn::IfThenElse(hn::RebindMask(di, hn::Eq(best, most)), best_test, none);
  choice->gain = hn::GetLane(most);
  choice->test = static_cast<std::size_t>(hn::GetLane(hn::MinOfLanes(di, first)));
}

}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dtf {
namespace {

// In nodes of so few words, a matrix of counts would cost more than the counting.
constexpr std::size_t kFewWords = 4;

constexpr auto kPlaneNumbers = [] {
  std::array<std::uint32_t, 64> numbers{};
  std::iota(numbers.begin(), numbers.end(), std::uint32_t{0});
  return numbers;
}();

// out[t] = Σ_b ± 2^b · counts[b · stride + t], for t < size.
void AddUp(const Count* counts, std::size_t stride, std::size_t size, int bits, bool is_signed, std::int32_t* out) {
  std::fill_n(out, size, 0);
  for (int b = 0; b < bits; ++b, counts += stride) {
    const bool negative = is_signed && b == bits - 1;
    for (std::size_t t = 0; t < size; ++t) {
      const std::uint32_t value = counts[t] << b;
      out[t] = static_cast<std::int32_t>(static_cast<std::uint32_t>(out[t]) + (negative ? 0 - value : value));
    }
  }
}

}  // namespace

HWY_EXPORT(FindPassing);
HWY_EXPORT(SumPassingFewWords);
HWY_EXPORT(FindBestNewtonSplit);

std::size_t FindPassing(const PlanePanels& tests, std::size_t item, const std::uint64_t* rows, std::uint64_t* passing) {
  const std::uint64_t* test = tests.Panel(item / PlanePanels::kLanes, 0) + item % PlanePanels::kLanes;
  return HWY_DYNAMIC_DISPATCH(FindPassing)(test, rows, tests.words(), passing);
}

void SumPassing(const PlanePanels& tests, const SummedPlanes& planes, std::int32_t* first, std::int32_t* second,
                AlignedBuffer<Count>& scratch) {
  if (tests.words() <= kFewWords) {
    HWY_DYNAMIC_DISPATCH(SumPassingFewWords)(tests, planes, first, second);
    return;
  }
  const std::size_t stride = tests.panels() * PlanePanels::kLanes;
  Count* counts = scratch.Resize(stride * planes.planes());
  CountPlanes(tests, {planes.first_plane, planes.planes(), planes.words}, {counts, stride, kPlaneNumbers.data(), 0});
  AddUp(counts, stride, tests.items(), planes.first_bits, planes.first_is_signed, first);
  AddUp(counts + static_cast<std::size_t>(planes.first_bits) * stride, stride, tests.items(), planes.second_bits, false,
        second);
}

SplitChoice FindBestNewtonSplit(const NewtonTerms& terms, std::int32_t gradient, std::int32_t hessian,
                                std::span<const std::int32_t> gradients, std::span<const std::int32_t> hessians) {
  SplitChoice choice;
  if (gradients.empty()) return choice;
  HWY_DYNAMIC_DISPATCH(FindBestNewtonSplit)
  (terms, static_cast<float>(gradient) * terms.gradient_unit, static_cast<float>(hessian) * terms.hessian_unit,
   gradients.data(), hessians.data(), gradients.size(), &choice);
  return choice;
}

}  // namespace dtf
#endif  // HWY_ONCE
