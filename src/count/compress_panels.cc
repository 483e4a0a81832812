#include "count/compress_panels.h"

#include <algorithm>
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

// Puts the extracted bits of 16 planes together to words, side by side.
class WordWriter {
 public:
  WordWriter() {
    for (V64& vector : begun_) vector = hn::Zero(D64());
  }

  // Adds `count` bits of each plane, at least one. Returns how many words are complete now, 0 or 1; `to` holds them.
  // That depends on the rows in no predictable way, so no branch depends on it.
  HWY_INLINE std::size_t Append(const std::uint64_t* HWY_RESTRICT bits, int count, std::uint64_t* HWY_RESTRICT to) {
    const D64 d;
    const int after = fill_ + count;
    const V64 is_full = hn::Set(d, after < 64 ? 0 : ~std::uint64_t{0});
    for (std::size_t v = 0; v < kVectors; ++v) {
      const V64 vector = hn::Load(d, bits + v * kLanes64);
      const V64 word = hn::Or(begun_[v], hn::ShiftLeftSame(vector, fill_));
      hn::Store(word, d, to + v * kLanes64);
      const V64 rest = hn::ShiftRightSame(hn::ShiftRight<1>(vector), 63 - fill_);
      begun_[v] = hn::Or(hn::And(is_full, rest), hn::AndNot(is_full, word));
    }
    fill_ = after % 64;
    return static_cast<std::size_t>(after / 64);
  }

  // The words begun, if any: 0 or 1.
  std::size_t Finish(std::uint64_t* to) const {
    if (fill_ == 0) return 0;
    for (std::size_t v = 0; v < kVectors; ++v) hn::Store(begun_[v], D64(), to + v * kLanes64);
    return 1;
  }

 private:
  V64 begun_[kVectors];
  int fill_ = 0;  // bits of the words begun
};

// Words whose bits are extracted before they are put together: a vector loaded right after its parts were stored would
// wait for them.
constexpr std::size_t kBlock = 16;

// 16 planes side by side: word w of item i at [16 · w + i].
void CompressPanel(const std::uint64_t* HWY_RESTRICT from, const std::uint64_t* HWY_RESTRICT mask, std::size_t words,
                   std::uint64_t* HWY_RESTRICT to) {
  alignas(64) std::uint64_t bits[kBlock][kPanelLanes];
  int counts[kBlock];
  WordWriter writer;
  for (std::size_t first = 0; first < words; first += kBlock) {
    std::size_t size = 0;
    for (std::size_t w = first; w < std::min(words, first + kBlock); ++w) {
      const std::uint64_t kept = mask[w];
      if (kept == 0) continue;
      for (std::size_t i = 0; i < kPanelLanes; ++i) bits[size][i] = Extract(from[kPanelLanes * w + i], kept);
      counts[size++] = std::popcount(kept);
    }
    for (std::size_t i = 0; i < size; ++i) to += kPanelLanes * writer.Append(bits[i], counts[i], to);
  }
  writer.Finish(to);
}

// At most 16 planes, one after the other.
void CompressFew(const std::uint64_t* HWY_RESTRICT from, std::size_t planes, const std::uint64_t* HWY_RESTRICT mask,
                 std::size_t words, std::uint64_t* HWY_RESTRICT to, std::size_t to_words) {
  alignas(64) std::uint64_t bits[kBlock][kPanelLanes] = {};
  alignas(64) std::uint64_t full[kBlock][kPanelLanes];
  int counts[kBlock];
  WordWriter writer;
  const auto take = [&](std::size_t size) {
    for (std::size_t i = 0; i < size; ++i, ++to) {
      for (std::size_t p = 0; p < planes; ++p) to[p * to_words] = full[i][p];
    }
  };
  for (std::size_t first = 0; first < words; first += kBlock) {
    std::size_t size = 0;
    for (std::size_t w = first; w < std::min(words, first + kBlock); ++w) {
      const std::uint64_t kept = mask[w];
      if (kept == 0) continue;
      for (std::size_t p = 0; p < planes; ++p) bits[size][p] = Extract(from[p * words + w], kept);
      counts[size++] = std::popcount(kept);
    }
    std::size_t complete = 0;
    for (std::size_t i = 0; i < size; ++i) complete += writer.Append(bits[i], counts[i], full[complete]);
    take(complete);
  }
  take(writer.Finish(full[0]));
}

void CompressPlanes(const std::uint64_t* from, std::size_t planes, const std::uint64_t* mask, std::size_t words,
                    std::uint64_t* to, std::size_t to_words) {
  for (std::size_t first = 0; first < planes; first += kPanelLanes) {
    const std::size_t size = std::min(planes - first, kPanelLanes);
    CompressFew(from + first * words, size, mask, words, to + first * to_words, to_words);
  }
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
