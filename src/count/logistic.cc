#include "count/logistic.h"

#include <algorithm>
#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "count/logistic.cc"
#include "count/highway_targets.h"
// After the targets:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "count/floats-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DI = hn::RebindToSigned<DF>;
using DU = hn::RebindToUnsigned<DF>;
using VI = hn::Vec<DI>;
using VU = hn::Vec<DU>;

// All ones in the lanes of DI whose bit, counted from `shift`, is set.
HWY_INLINE VI LanesOf(std::uint64_t word, std::size_t shift) {
  const DI d;
  const auto bit = hn::Shl(hn::Set(d, 1), hn::Iota(d, 0));
  return hn::VecFromMask(d, hn::TestBit(hn::Set(d, static_cast<std::int32_t>(word >> shift)), bit));
}

// The logit of the row's answer, in nats: its own for yes, the opposite for no.
HWY_INLINE VF Margin(const Logit* logits, VI is_yes) {
  const DF d;
  const DI di;
  const VI logit = hn::LoadU(di, logits);
  const VI signed_logit = hn::Sub(hn::Xor(logit, hn::Not(is_yes)), hn::Not(is_yes));
  return hn::Mul(hn::ConvertTo(d, signed_logit), hn::Set(d, static_cast<float>(kLogitUnit)));
}

// bounds: the largest |gradient| and Hessian.
void FindDerivatives(const Logit* HWY_RESTRICT logits, std::size_t words, const std::uint64_t* HWY_RESTRICT yes,
                     const float* HWY_RESTRICT weights, std::size_t rows, std::int32_t* HWY_RESTRICT gradients,
                     std::int32_t* HWY_RESTRICT hessians, DerivativeBounds* bounds) {
  const DF d;
  const DI di;
  const VF one = hn::Set(d, 1.0f);
  const VF scale = hn::Set(d, static_cast<float>(1 << kDerivativeBits));
  VI most_gradient = hn::Set(di, 1);
  VI most_hessian = hn::Set(di, 1);
  for (std::size_t w = 0; w < words; ++w) {
    const std::size_t there = rows - std::min(rows, 64 * w);
    const std::uint64_t exists = there >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << there) - 1;
    for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
      const std::size_t row = 64 * w + i;
      const VI is_yes = LanesOf(yes[w], i);
      const VF margin = Margin(logits + row, is_yes);
      const VF e = ExpOfMinus(hn::Abs(margin));
      const VF larger = hn::Div(one, hn::Add(one, e));  // the probability of the likelier answer
      const VF smaller = hn::Mul(e, larger);
      const VF wrong = hn::IfThenElse(hn::Lt(margin, hn::Zero(d)), larger, smaller);
      VF weight = scale;
      if (weights != nullptr) {
        weight = hn::Mul(scale, hn::LoadU(d, weights + row));
      } else if (there < 64) {
        weight = hn::BitCast(d, hn::And(hn::BitCast(di, scale), LanesOf(exists, i)));
      }
      const VI size = hn::ConvertTo(di, hn::Round(hn::Mul(wrong, weight)));
      const VI hessian = hn::ConvertTo(di, hn::Round(hn::Mul(hn::Mul(smaller, larger), weight)));
      hn::StoreU(hn::Sub(hn::Xor(size, hn::Not(is_yes)), hn::Not(is_yes)), di, gradients + row);
      hn::StoreU(hessian, di, hessians + row);
      most_gradient = hn::Max(most_gradient, size);
      most_hessian = hn::Max(most_hessian, hessian);
    }
  }
  bounds->gradient = hn::GetLane(hn::MaxOfLanes(di, most_gradient));
  bounds->hessian = hn::GetLane(hn::MaxOfLanes(di, most_hessian));
}

// 32 random bits for each row: a counter through two rounds of a mixing function (Murmur3's finalizer).
HWY_INLINE VU RandomBits(VU row, std::uint32_t seed) {
  const DU d;
  VU x = hn::Xor(hn::Mul(row, hn::Set(d, 0x9E3779B1u)), hn::Set(d, seed));
  x = hn::Mul(hn::Xor(x, hn::ShiftRight<16>(x)), hn::Set(d, 0x85EBCA6Bu));
  x = hn::Mul(hn::Xor(x, hn::ShiftRight<13>(x)), hn::Set(d, 0xC2B2AE35u));
  return hn::Xor(x, hn::ShiftRight<16>(x));
}

// 16 random bits to [0, 1).
HWY_INLINE VF Fraction(VU bits) {
  return hn::Mul(hn::ConvertTo(DF(), hn::BitCast(DI(), bits)), hn::Set(DF(), 0x1p-16f));
}

// The word whose lowest bits lie in the first byte.
HWY_INLINE std::uint64_t WordOf(const std::uint8_t (&bytes)[8]) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

// So many words of rows are quantised before their bits are taken: a vector loaded right after its parts were stored
// would wait for them.
constexpr std::size_t kBlockWords = 8;

// planes[words · b + w] = bit b of values [64 w, 64 w + 64), for `count` bits and `size` words of values, at most
// kBlockWords. The values are cut into bytes, whose bits are taken 64 at a time.
HWY_INLINE void StorePlanes(const std::int32_t* HWY_RESTRICT values, std::size_t size, int count,
                            std::uint64_t* HWY_RESTRICT planes, std::size_t words) {
  const DI d;
  const hn::Rebind<std::uint8_t, DI> narrow;
  const hn::CappedTag<std::uint8_t, 64> d8;
  alignas(64) std::uint8_t bytes[64 * kBlockWords];
  for (int b = 0; b < count; ++b, planes += words) {
    if (b % 8 == 0) {
      for (std::size_t i = 0; i < 64 * size; i += hn::Lanes(d)) {
        // Not TruncateTo, which Highway 1.0 gets wrong on AVX3_DL.
        const VI byte = hn::And(hn::ShiftRightSame(hn::Load(d, values + i), b), hn::Set(d, 0xFF));
        hn::Store(hn::DemoteTo(narrow, byte), narrow, bytes + i);
      }
    }
    const auto bit = hn::Set(d8, static_cast<std::uint8_t>(1 << (b % 8)));
    for (std::size_t w = 0; w < size; ++w) {
      std::uint64_t word = 0;
      for (std::size_t i = 0; i < 64; i += hn::Lanes(d8)) {
        std::uint8_t mask[8] = {};
        hn::StoreMaskBits(d8, hn::TestBit(hn::Load(d8, bytes + 64 * w + i), bit), mask);
        word |= WordOf(mask) << i;
      }
      planes[w] = word;
    }
  }
}

void QuantiseDerivatives(const std::int32_t* HWY_RESTRICT gradients, const std::int32_t* HWY_RESTRICT hessians,
                         DerivativeBounds bounds, QuantisedBits bits, std::uint32_t seed,
                         std::uint64_t* HWY_RESTRICT planes, std::size_t words) {
  const DF d;
  const DI di;
  const DU du;
  // Rounded down after a fraction below 1 was added: the largest value stays the largest that the bits can hold.
  const auto most_gradient = static_cast<float>((1 << (bits.gradient - 1)) - 1);
  const auto most_hessian = static_cast<float>((1 << bits.hessian) - 1);
  const VF gradient_scale = hn::Set(d, most_gradient / static_cast<float>(bounds.gradient));
  const VF hessian_scale = hn::Set(d, most_hessian / static_cast<float>(bounds.hessian));
  const VU lanes = hn::Iota(du, 0);
  alignas(64) std::int32_t gradient[64 * kBlockWords];
  alignas(64) std::int32_t hessian[64 * kBlockWords];
  for (std::size_t w = 0; w < words; w += kBlockWords) {
    const std::size_t size = std::min(kBlockWords, words - w);
    for (std::size_t i = 0; i < 64 * size; i += hn::Lanes(d)) {
      const std::size_t row = 64 * w + i;
      const VU random = RandomBits(hn::Add(hn::Set(du, static_cast<std::uint32_t>(row)), lanes), seed);
      const VF up_gradient = Fraction(hn::ShiftRight<16>(random));
      const VF up_hessian = Fraction(hn::And(random, hn::Set(du, 0xFFFFu)));
      const VF g = MulThenAdd(hn::ConvertTo(d, hn::LoadU(di, gradients + row)), gradient_scale, up_gradient);
      const VF h = MulThenAdd(hn::ConvertTo(d, hn::LoadU(di, hessians + row)), hessian_scale, up_hessian);
      hn::StoreU(hn::ConvertTo(di, hn::Min(hn::Floor(g), hn::Set(d, most_gradient))), di, gradient + i);
      hn::StoreU(hn::ConvertTo(di, hn::Min(hn::Floor(h), hn::Set(d, most_hessian))), di, hessian + i);
    }
    StorePlanes(gradient, size, bits.gradient, planes + w, words);
    StorePlanes(hessian, size, bits.hessian, planes + static_cast<std::size_t>(bits.gradient) * words + w, words);
  }
}

void FindLosses(const Logit* HWY_RESTRICT logits, std::size_t words, const std::uint64_t* HWY_RESTRICT yes,
                std::int32_t* HWY_RESTRICT losses) {
  const DF d;
  const DI di;
  for (std::size_t w = 0; w < words; ++w) {
    for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
      const std::size_t row = 64 * w + i;
      const VF margin = Margin(logits + row, LanesOf(yes[w], i));
      const VF e = ExpOfMinus(hn::Abs(margin));
      // ln(1 + e) = 2 artanh(e / (2 + e)), whose argument is at most 1/3
      const VF s = hn::Div(e, hn::Add(hn::Set(d, 2.0f), e));
      const VF z = hn::Mul(s, s);
      VF series = hn::Set(d, 2.0f / 13);
      for (const float c : {2.0f / 11, 2.0f / 9, 2.0f / 7, 2.0f / 5, 2.0f / 3, 2.0f}) {
        series = MulThenAdd(series, z, hn::Set(d, c));
      }
      const VF loss = MulThenAdd(series, s, hn::Max(hn::Neg(margin), hn::Zero(d)));
      // A logit of 2^30 units is 2^14 nats, more than 2^31 in units of 2^-20.
      const VF bounded = hn::Min(loss, hn::Set(d, 2047.0f));
      hn::StoreU(hn::ConvertTo(di, hn::Round(hn::Mul(bounded, hn::Set(d, 0x1p20f)))), di, losses + row);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dtf {

HWY_EXPORT(FindDerivatives);
HWY_EXPORT(QuantiseDerivatives);
HWY_EXPORT(FindLosses);

DerivativeBounds FindDerivatives(std::span<const Logit> logits, const std::uint64_t* yes,
                                 std::span<const float> weights, std::size_t rows, Derivatives out) {
  DerivativeBounds bounds;
  HWY_DYNAMIC_DISPATCH(FindDerivatives)
  (logits.data(), logits.size() / 64, yes, weights.empty() ? nullptr : weights.data(), rows, out.gradients.data(),
   out.hessians.data(), &bounds);
  return bounds;
}

void QuantiseDerivatives(std::span<const std::int32_t> gradients, std::span<const std::int32_t> hessians,
                         DerivativeBounds bounds, QuantisedBits bits, std::uint32_t seed, std::uint64_t* planes,
                         std::size_t words) {
  HWY_DYNAMIC_DISPATCH(QuantiseDerivatives)
  (gradients.data(), hessians.data(), bounds, bits, seed, planes, words);
}

void FindLosses(std::span<const Logit> logits, const std::uint64_t* yes, std::span<std::int32_t> losses) {
  HWY_DYNAMIC_DISPATCH(FindLosses)(logits.data(), logits.size() / 64, yes, losses.data());
}

}  // namespace dtf
#endif  // HWY_ONCE
