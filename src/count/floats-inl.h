// Single precision with a fixed sequence of roundings: all vector instructions give the same bits.
#include <hwy/highway.h>

#if defined(DTF_COUNT_FLOATS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DTF_COUNT_FLOATS_INL_H_
#undef DTF_COUNT_FLOATS_INL_H_
#else
#define DTF_COUNT_FLOATS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;

// Never fused: every target rounds twice.
HWY_INLINE VF MulThenAdd(VF a, VF b, VF c) { return hn::Add(hn::Mul(a, b), c); }

// e^-x for x >= 0; relative error below 2^-21.
HWY_INLINE VF ExpOfMinus(VF x) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  x = hn::Min(x, hn::Set(d, 80.0f));
  const VF turns = hn::Round(hn::Mul(x, hn::Set(d, 1.44269504f)));
  // r = turns · ln 2 − x, in two steps; |r| <= 0.35
  VF r = hn::Sub(hn::Mul(turns, hn::Set(d, 0.693359375f)), x);
  r = hn::Sub(r, hn::Mul(turns, hn::Set(d, 2.12194440e-4f)));
  VF e = hn::Set(d, 1.0f / 720);
  for (const float c : {1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) e = MulThenAdd(e, r, hn::Set(d, c));
  const auto exponent = hn::ShiftLeft<23>(hn::ConvertTo(di, turns));
  return hn::BitCast(d, hn::Sub(hn::BitCast(di, e), exponent));
}

// ln x for normal x >= 1; absolute error below 2^-21 · (1 + ln x).
HWY_INLINE VF LnFromOne(VF x) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  // x = m · 2^k with m from √½ to √2
  const auto bits = hn::BitCast(di, x);
  const auto k = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3f3504f3)));
  const VF m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(k)));
  const VF one = hn::Set(d, 1.0f);
  // ln m = 2 artanh s
  const VF s = hn::Div(hn::Sub(m, one), hn::Add(m, one));
  const VF square = hn::Mul(s, s);
  VF series = hn::Set(d, 2.0f / 9);
  for (const float c : {2.0f / 7, 2.0f / 5, 2.0f / 3, 2.0f}) series = MulThenAdd(series, square, hn::Set(d, c));
  return MulThenAdd(hn::ConvertTo(d, k), hn::Set(d, 0.69314718f), hn::Mul(series, s));
}

// A sum over a list is made of so many partial sums, whatever the vectors' size: number i goes to sum i mod
// kPartialSums.
constexpr std::size_t kPartialSums = 16;

HWY_INLINE float SumOfPartial(float* partial) {
  for (std::size_t half = kPartialSums / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) partial[i] += partial[i + half];
  }
  return partial[0];
}

// Each number becomes e^(number - most); returns the sum of these. size: a multiple of kPartialSums.
HWY_INLINE float ExpAndSum(float* numbers, float most, std::size_t size) {
  const DF d;
  constexpr std::size_t kLanes = hn::MaxLanes(DF());
  HWY_ALIGN float partial[kPartialSums];
  for (std::size_t first = 0; first < kPartialSums; first += kLanes) {
    VF sum = hn::Zero(d);
    for (std::size_t i = first; i < size; i += kPartialSums) {
      const VF value = ExpOfMinus(hn::Sub(hn::Set(d, most), hn::Load(d, numbers + i)));
      hn::Store(value, d, numbers + i);
      sum = hn::Add(sum, value);
    }
    hn::Store(sum, d, partial + first);
  }
  return SumOfPartial(partial);
}

}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#endif  // include guard, once for each target
