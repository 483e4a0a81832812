#include "count/compress_panels.h"

#include <bit>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "count/compress_panels.cc"
#include "count/highway_targets.h"
// After the targets:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_ARCH_X86
#include <immintrin.h>
#endif

// Once, not once a target:
#ifndef DTF_COUNT_COMPRESS_PANELS_ONCE
#define DTF_COUNT_COMPRESS_PANELS_ONCE
namespace dtf {
namespace {
constexpr std::size_t kPlanesTogether = 8;  // as many as boosting sums
}  // namespace
}  // namespace dtf
#endif

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D64 = hn::CappedTag<std::uint64_t, 8>;
using V64 = hn::Vec<D64>;

constexpr std::size_t kPanelLanes = PlanePanels::kLanes;
constexpr std::size_t kLanes64 = hn::MaxLanes(D64());
constexpr std::size_t kVectors = kPanelLanes / kLanes64;

// The bits of `word` where `mask` is set, moved together at the bottom.
HWY_INLINE std::uint64_t Extract(std::uint64_t word, std::uint64_t mask) {
#if HWY_ARCH_X86_64 && HWY_TARGET <= HWY_AVX2
  return _pext_u64(word, mask);
#else
  std::uint64_t bits = 0;
  for (int filled = 0; mask != 0; ++filled, mask &= mask - 1) {
    bits |= (word >> std::countr_zero(mask) & 1) << filled;
  }
  return bits;
#endif
}

// 16 planes side by side: word w of item i at [16 · w + i]. Some words are extracted, then put together.
void CompressPanel(const std::uint64_t* HWY_RESTRICT from, const std::uint64_t* HWY_RESTRICT mask, std::size_t words,
                   std::uint64_t* HWY_RESTRICT to) {
  const D64 d;
  V64 begun[kVectors];
  for (V64& vector : begun) vector = hn::Zero(d);
  int fill = 0;  // bits of the words under construction
  for (std::size_t w = 0; w < words; ++w, from += kPanelLanes) {
    const std::uint64_t kept = mask[w];
    if (kept == 0) continue;
    alignas(64) std::uint64_t bits[kPanelLanes];
    for (std::size_t i = 0; i < kPanelLanes; ++i) bits[i] = Extract(from[i], kept);
    const int after = fill + std::popcount(kept);
    for (std::size_t v = 0; v < kVectors; ++v) {
      const V64 vector = hn::Load(d, bits + v * kLanes64);
      const V64 word = hn::Or(begun[v], hn::ShiftLeftSame(vector, fill));
      hn::Store(word, d, to + v * kLanes64);
      begun[v] = after < 64 ? word : hn::ShiftRightSame(hn::ShiftRight<1>(vector), 63 - fill);
    }
    to += after < 64 ? 0 : kPanelLanes;
    fill = after & 63;
  }
  if (fill == 0) return;
  for (std::size_t v = 0; v < kVectors; ++v) hn::Store(begun[v], d, to + v * kLanes64);
}

// Word by word, all planes at once: which words are kept, and where to, is looked up once.
template <std::size_t kPlanes>
HWY_INLINE void CompressTogether(const std::uint64_t* HWY_RESTRICT from, const std::uint64_t* HWY_RESTRICT mask,
                                 std::size_t words, std::uint64_t* HWY_RESTRICT to, std::size_t to_words) {
  std::uint64_t begun[kPlanes] = {};
  unsigned fill = 0;
  for (std::size_t w = 0; w < words; ++w) {
    const std::uint64_t kept = mask[w];
    if (kept == 0) continue;
    const unsigned after = fill + static_cast<unsigned>(std::popcount(kept));
    std::uint64_t bits[kPlanes];
    for (std::size_t p = 0; p < kPlanes; ++p) {
      bits[p] = Extract(from[p * words + w], kept);
      begun[p] |= bits[p] << fill;
    }
    if (after >= 64) {
      for (std::size_t p = 0; p < kPlanes; ++p) {
        to[p * to_words] = begun[p];
        begun[p] = bits[p] >> 1 >> (63 - fill);
      }
      ++to;
    }
    fill = after % 64;
  }
  if (fill == 0) return;
  for (std::size_t p = 0; p < kPlanes; ++p) to[p * to_words] = begun[p];
}

void CompressPlanes(const std::uint64_t* from, std::size_t planes, const std::uint64_t* mask, std::size_t words,
                    std::uint64_t* to, std::size_t to_words) {
  for (; planes >= kPlanesTogether; planes -= kPlanesTogether) {
    CompressTogether<kPlanesTogether>(from, mask, words, to, to_words);
    from += kPlanesTogether * words;
    to += kPlanesTogether * to_words;
  }
  for (; planes > 0; --planes, from += words, to += to_words) CompressTogether<1>(from, mask, words, to, to_words);
}

}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dtf {

HWY_EXPORT(CompressPanel);
HWY_EXPORT(CompressPlanes);

void CompressPanels(const PlanePanels& from, std::span<const std::uint64_t> mask, PlanePanels& to) {
  to.Reset(from.items(), 1, PlaneWords(CountBoth(mask.data(), mask)));
  for (std::size_t panel = 0; panel < from.panels(); ++panel) {
    HWY_DYNAMIC_DISPATCH(CompressPanel)(from.Panel(panel, 0), mask.data(), mask.size(), to.Panel(panel, 0));
  }
}

void CompressPlanes(PlaneMatrix from, std::span<const std::uint64_t> mask, std::uint64_t* to) {
  const std::size_t to_words = PlaneWords(CountBoth(mask.data(), mask));
  HWY_DYNAMIC_DISPATCH(CompressPlanes)(from.first, from.planes, mask.data(), mask.size(), to, to_words);
}

void CompressPlane(const std::uint64_t* plane, std::span<const std::uint64_t> mask, std::uint64_t* out) {
  CompressPlanes({plane, 1, mask.size()}, mask, out);
}

}  // namespace dtf
#endif  // HWY_ONCE
