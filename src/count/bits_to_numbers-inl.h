// From bit planes to numbers, for each of Highway's targets. Include it in files that foreach_target.h compiles for
// each target, after that header.
#if defined(DTF_COUNT_BITS_TO_NUMBERS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DTF_COUNT_BITS_TO_NUMBERS_INL_H
#undef DTF_COUNT_BITS_TO_NUMBERS_INL_H
#else
#define DTF_COUNT_BITS_TO_NUMBERS_INL_H
#endif

#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {

using NumberTag = hwy::HWY_NAMESPACE::CappedTag<std::int32_t, 16>;

// The lanes whose bits are set in the lowest bits of `bits`.
HWY_INLINE hwy::HWY_NAMESPACE::Mask<NumberTag> MaskOf(std::uint64_t bits) {
  namespace hn = hwy::HWY_NAMESPACE;
  const NumberTag d;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const std::uint16_t few = static_cast<std::uint16_t>(bits);
  return hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&few));
#else
  const auto lane_bit = hn::Shl(hn::Set(d, 1), hn::Iota(d, 0));
  return hn::TestBit(hn::Set(d, static_cast<std::int32_t>(bits)), lane_bit);
#endif
}

// numbers[64 w + i] = bias + Σ_b 2^b · bit i of word w of plane b, modulo 2^32, for the first `words` words. Plane b
// begins at planes[stride · b].
HWY_INLINE void BitsToNumbers(const std::uint64_t* HWY_RESTRICT planes, std::size_t stride, std::size_t bits,
                              std::int32_t bias, std::size_t words, std::int32_t* HWY_RESTRICT numbers) {
  namespace hn = hwy::HWY_NAMESPACE;
  const NumberTag d;
  for (std::size_t w = 0; w < words; ++w) {
    for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
      auto number = hn::Set(d, bias);
      for (std::size_t b = 0; b < bits; ++b) {
        const auto bit = hn::Set(d, static_cast<std::int32_t>(std::uint32_t{1} << b));
        number = hn::Add(number, hn::IfThenElseZero(MaskOf(planes[stride * b + w] >> i), bit));
      }
      hn::StoreU(number, d, numbers + 64 * w + i);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#endif
