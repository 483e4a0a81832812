#include "count/planes.h"

#include <algorithm>
#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "count/planes.cc"
#include "count/highway_targets.h"
// After the targets:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D64 = hn::ScalableTag<std::uint64_t>;
using V64 = hn::Vec<D64>;

constexpr std::size_t kPanelLanes = PlanePanels::kLanes;
constexpr std::size_t kVectorLanes = hn::MaxLanes(D64());
// A tile: kTileVectors vectors of items × kTilePlanes planes, one register for each sum.
constexpr std::size_t kTileVectors = std::min<std::size_t>(kPanelLanes / kVectorLanes, 4);
constexpr std::size_t kTilePlanes = 8 / kTileVectors;
constexpr std::size_t kTileLanes = kTileVectors * kVectorLanes;
// Words counted before moving on: 16 items of so many words lie in the first-level cache, all planes in the second.
constexpr std::size_t kChunkWords = 128;

// Sums of population counts, one for each 64-bit lane.
#if HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_SCALAR
template <std::size_t kPlanes>
HWY_INLINE void AddCounts(const std::uint64_t* HWY_RESTRICT items, const std::uint64_t* const* planes,
                          std::size_t words, V64 (&sums)[kPlanes][kTileVectors]) {
  const D64 d;
  for (std::size_t w = 0; w < words; ++w, items += kPanelLanes) {
    V64 item[kTileVectors];
    for (std::size_t v = 0; v < kTileVectors; ++v) item[v] = hn::Load(d, items + v * kVectorLanes);
    for (std::size_t b = 0; b < kPlanes; ++b) {
      const V64 plane = hn::Set(d, planes[b][w]);
      for (std::size_t v = 0; v < kTileVectors; ++v) {
        sums[b][v] = hn::Add(sums[b][v], hn::PopulationCount(hn::And(item[v], plane)));
      }
    }
  }
}
#else
// Without a 64-bit population count: bytes are counted, and summed before they overflow.
template <std::size_t kPlanes>
HWY_INLINE void AddCounts(const std::uint64_t* HWY_RESTRICT items, const std::uint64_t* const* planes,
                          std::size_t words, V64 (&sums)[kPlanes][kTileVectors]) {
  const D64 d;
  const hn::Repartition<std::uint8_t, D64> d8;
  using V8 = hn::Vec<decltype(d8)>;
  constexpr std::size_t kMostWords = 31;  // 31 · 8 < 256
  for (std::size_t first = 0; first < words; first += kMostWords) {
    const std::size_t last = std::min(words, first + kMostWords);
    V8 bytes[kPlanes][kTileVectors];
    for (auto& row : bytes) {
      for (V8& byte : row) byte = hn::Zero(d8);
    }
    for (std::size_t w = first; w < last; ++w, items += kPanelLanes) {
      for (std::size_t v = 0; v < kTileVectors; ++v) {
        const V64 item = hn::Load(d, items + v * kVectorLanes);
        for (std::size_t b = 0; b < kPlanes; ++b) {
          const V64 both = hn::And(item, hn::Set(d, planes[b][w]));
          bytes[b][v] = hn::Add(bytes[b][v], hn::PopulationCount(hn::BitCast(d8, both)));
        }
      }
    }
    for (std::size_t b = 0; b < kPlanes; ++b) {
      for (std::size_t v = 0; v < kTileVectors; ++v) sums[b][v] = hn::Add(sums[b][v], hn::SumsOf8(bytes[b][v]));
    }
  }
}
#endif

// out[0 … kTileLanes) = or += sums << bit.
HWY_INLINE void StoreSums(const V64 (&sums)[kTileVectors], int bit, bool add, Count* out) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t v = 0; v < kTileVectors; ++v) {
    const Count sum = static_cast<Count>(hn::GetLane(sums[v])) << bit;
    out[v] = add ? out[v] + sum : sum;
  }
#else
  const hn::Repartition<Count, D64> d32;
  for (std::size_t v = 0; v < kTileVectors; v += 2) {
    auto pair = hn::ConcatEven(d32, hn::BitCast(d32, sums[v + 1]), hn::BitCast(d32, sums[v]));
    pair = hn::ShiftLeftSame(pair, bit);
    Count* to = out + v * kVectorLanes;
    if (add) pair = hn::Add(pair, hn::LoadU(d32, to));
    hn::StoreU(pair, d32, to);
  }
#endif
}

struct Tile {
  const std::uint64_t* items;  // [words][16], at the tile's first lane
  std::size_t words;
  std::size_t lanes;  // wanted of kTileLanes
  int bit;
  bool add;
};

template <std::size_t kPlanes>
HWY_INLINE void CountTile(const Tile& tile, const std::uint64_t* const* planes, Count* const* out) {
  V64 sums[kPlanes][kTileVectors];
  for (auto& row : sums) {
    for (V64& sum : row) sum = hn::Zero(D64());
  }
  AddCounts<kPlanes>(tile.items, planes, tile.words, sums);
  for (std::size_t b = 0; b < kPlanes; ++b) {
    if (tile.lanes >= kTileLanes) {
      StoreSums(sums[b], tile.bit, tile.add, out[b]);
    } else {
      Count buffer[kTileLanes] = {};
      std::copy_n(out[b], tile.lanes, buffer);
      StoreSums(sums[b], tile.bit, tile.add, buffer);
      std::copy_n(buffer, tile.lanes, out[b]);
    }
  }
}

// All planes against one tile's items, over words [first, first + tile.words).
HWY_INLINE void CountTiles(const Tile& tile, PlaneMatrix planes, std::size_t first, Count* lane, CountRowsOut out) {
  const std::uint64_t* plane[kTilePlanes];
  Count* to[kTilePlanes];
  std::size_t b = 0;
  for (; b + kTilePlanes <= planes.planes; b += kTilePlanes) {
    for (std::size_t i = 0; i < kTilePlanes; ++i) {
      plane[i] = planes[b + i] + first;
      to[i] = lane + (out.rows[b + i] - out.first_row) * out.stride;
    }
    CountTile<kTilePlanes>(tile, plane, to);
  }
  for (; b < planes.planes; ++b) {
    plane[0] = planes[b] + first;
    to[0] = lane + (out.rows[b] - out.first_row) * out.stride;
    CountTile<1>(tile, plane, to);
  }
}

void CountPlanes(const PlanePanels& items, PlaneMatrix planes, CountRowsOut out) {
  const std::size_t words = items.words();
  for (std::size_t first = 0; first == 0 || first < words; first += kChunkWords) {
    for (std::size_t lane = 0; lane < items.items(); lane += kTileLanes) {
      for (std::size_t bit = 0; bit < items.bits(); ++bit) {
        const Tile tile = {items.Panel(lane / kPanelLanes, bit) + first * kPanelLanes + lane % kPanelLanes,
                           std::min(kChunkWords, words - first), items.items() - lane, static_cast<int>(bit),
                           first + bit > 0};
        CountTiles(tile, planes, first, out.first + lane, out);
      }
    }
  }
}

HWY_INLINE V64 CountsOf(V64 bits) {
#if HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_SCALAR
  return hn::PopulationCount(bits);
#else
  const hn::Repartition<std::uint8_t, D64> d8;
  return hn::SumsOf8(hn::PopulationCount(hn::BitCast(d8, bits)));
#endif
}

Count CountBoth(const std::uint64_t* HWY_RESTRICT plane, const std::uint64_t* HWY_RESTRICT mask, std::size_t words) {
  const D64 d;
  V64 sums = hn::Zero(d);
  std::size_t w = 0;
  for (; w + kVectorLanes <= words; w += kVectorLanes) {
    sums = hn::Add(sums, CountsOf(hn::And(hn::LoadU(d, plane + w), hn::LoadU(d, mask + w))));
  }
  if (w < words) {
    std::uint64_t rest[kVectorLanes] = {};
    for (std::size_t i = 0; w + i < words; ++i) rest[i] = plane[w + i] & mask[w + i];
    sums = hn::Add(sums, CountsOf(hn::LoadU(d, rest)));
  }
  return static_cast<Count>(hn::GetLane(hn::SumOfLanes(d, sums)));
}

void SubtractRows(const Count* HWY_RESTRICT total, std::size_t width, const Count* HWY_RESTRICT rows,
                  std::size_t row_count, Count* HWY_RESTRICT out) {
  const hn::ScalableTag<Count> d;
  for (std::size_t c = 0; c < width; c += hn::Lanes(d)) {
    auto left = hn::LoadU(d, total + c);
    for (std::size_t r = 0; r < row_count; ++r) left = hn::Sub(left, hn::LoadU(d, rows + r * width + c));
    hn::StoreU(left, d, out + c);
  }
}

// matches(vector of cells): a mask.
template <typename T, typename F>
HWY_INLINE std::uint64_t MatchWord(const T* HWY_RESTRICT cells, const F& matches) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kCells = std::min<std::size_t>(hn::MaxLanes(d), 64);
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 64; i += kCells) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, matches(hn::LoadU(d, cells + i)), bytes);
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes, sizeof(bits));
    if constexpr (std::endian::native == std::endian::big) bits = __builtin_bswap64(bits);
    word |= bits << i;
  }
  return word;
}

template <typename T, typename F>
HWY_INLINE void MatchCells(const T* HWY_RESTRICT cells, std::size_t rows, std::uint64_t* HWY_RESTRICT plane,
                           const F& matches) {
  const std::size_t full = rows / 64;
  for (std::size_t w = 0; w < full; ++w) plane[w] = MatchWord(cells + 64 * w, matches);
  const std::size_t rest = rows % 64;
  if (rest == 0) return;
  T last[64] = {};
  std::copy_n(cells + 64 * full, rest, last);
  plane[full] = MatchWord(last, matches) & ((std::uint64_t{1} << rest) - 1);
}

template <typename T>
HWY_INLINE void MatchCodes(const T* HWY_RESTRICT cells, std::size_t rows, T code, std::uint64_t* HWY_RESTRICT plane) {
  const auto wanted = hn::Set(hn::ScalableTag<T>(), code);
  MatchCells(cells, rows, plane, [&](auto vector) HWY_ATTR { return hn::Eq(vector, wanted); });
}

void MatchRange(const std::uint32_t* cells, std::size_t rows, std::uint32_t first, std::uint32_t width,
                std::uint64_t* plane) {
  const hn::ScalableTag<std::uint32_t> d;
  const auto begin = hn::Set(d, first);
  const auto most = hn::Set(d, width);
  MatchCells(cells, rows, plane, [&](auto vector) HWY_ATTR {
    const auto beyond = hn::Sub(vector, begin);
    return hn::Eq(hn::Min(beyond, most), beyond);
  });
}

Count CountCode(const std::uint8_t* HWY_RESTRICT cells, std::size_t rows, std::uint8_t code) {
  const hn::ScalableTag<std::uint8_t> d;
  const auto wanted = hn::Set(d, code);
  std::size_t count = 0;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= rows; i += hn::Lanes(d)) {
    count += hn::CountTrue(d, hn::Eq(hn::LoadU(d, cells + i), wanted));
  }
  for (; i < rows; ++i) count += cells[i] == code;
  return static_cast<Count>(count);
}

void MatchCodes8(const std::uint8_t* cells, std::size_t rows, std::uint8_t code, std::uint64_t* plane) {
  MatchCodes(cells, rows, code, plane);
}
void MatchCodes16(const std::uint16_t* cells, std::size_t rows, std::uint16_t code, std::uint64_t* plane) {
  MatchCodes(cells, rows, code, plane);
}
void MatchCodes32(const std::uint32_t* cells, std::size_t rows, std::uint32_t code, std::uint64_t* plane) {
  MatchCodes(cells, rows, code, plane);
}

// The bits of `words` words that the masks keep, moved to the bottom of each word (Hacker's Delight, compress).
// moves: step s of word w at [s · stride + w].
void CompressWords(const std::uint64_t* HWY_RESTRICT plane, const std::uint64_t* HWY_RESTRICT mask,
                   const std::uint64_t* HWY_RESTRICT moves, std::size_t stride, std::size_t words,
                   std::uint64_t* HWY_RESTRICT out) {
  const auto compress = [&](auto d, std::size_t w) HWY_ATTR {
    auto x = hn::And(hn::LoadU(d, plane + w), hn::LoadU(d, mask + w));
    const auto step = [&](auto s) HWY_ATTR {
      const auto moved = hn::And(x, hn::LoadU(d, moves + s.value * stride + w));
      x = hn::Or(hn::Xor(x, moved), hn::ShiftRight<(1 << s.value)>(moved));
    };
    step(std::integral_constant<int, 0>());
    step(std::integral_constant<int, 1>());
    step(std::integral_constant<int, 2>());
    step(std::integral_constant<int, 3>());
    step(std::integral_constant<int, 4>());
    step(std::integral_constant<int, 5>());
    hn::StoreU(x, d, out + w);
  };
  std::size_t w = 0;
  for (; w + kVectorLanes <= words; w += kVectorLanes) compress(D64(), w);
  for (; w < words; ++w) compress(hn::CappedTag<std::uint64_t, 1>(), w);
}

}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dtf {

HWY_EXPORT(CountPlanes);
HWY_EXPORT(CountBoth);
HWY_EXPORT(CountCode);
HWY_EXPORT(SubtractRows);
HWY_EXPORT(MatchCodes8);
HWY_EXPORT(MatchCodes16);
HWY_EXPORT(MatchCodes32);
HWY_EXPORT(MatchRange);
HWY_EXPORT(CompressWords);

void PlanePanels::Reset(std::size_t items, std::size_t bits, std::size_t words) {
  items_ = items;
  bits_ = bits;
  words_ = words;
  // Something even for no words: their lanes have addresses, which are never read.
  packed_.Resize(std::max(kLanes, panels() * bits * words * kLanes));
}

void PlanePanels::Pack(std::size_t panel, std::size_t bit, std::span<const std::uint64_t* const> planes,
                       const std::uint64_t* mask) {
  std::uint64_t* to = Panel(panel, bit);
  for (std::size_t w = 0; w < words_; ++w) {
    const std::uint64_t kept = mask == nullptr ? ~std::uint64_t{0} : mask[w];
    for (std::size_t i = 0; i < kLanes; ++i) *to++ = planes[i] == nullptr ? 0 : planes[i][w] & kept;
  }
}

PlanePanels PackPlanes(PlaneMatrix planes) {
  PlanePanels panels;
  panels.Reset(planes.planes, 1, planes.words);
  for (std::size_t panel = 0; panel < panels.panels(); ++panel) {
    const std::uint64_t* packed[PlanePanels::kLanes] = {};
    const std::size_t first = panel * PlanePanels::kLanes;
    for (std::size_t i = 0; i < std::min(PlanePanels::kLanes, planes.planes - first); ++i)
      packed[i] = planes[first + i];
    panels.Pack(panel, 0, packed, nullptr);
  }
  return panels;
}

void CountPlanes(const PlanePanels& items, PlaneMatrix planes, CountRowsOut out) {
  HWY_DYNAMIC_DISPATCH(CountPlanes)(items, planes, out);
}

void MatchCodes(std::span<const std::uint8_t> cells, Code code, std::uint64_t* plane) {
  HWY_DYNAMIC_DISPATCH(MatchCodes8)(cells.data(), cells.size(), static_cast<std::uint8_t>(code), plane);
}
void MatchCodes(std::span<const std::uint16_t> cells, Code code, std::uint64_t* plane) {
  HWY_DYNAMIC_DISPATCH(MatchCodes16)(cells.data(), cells.size(), static_cast<std::uint16_t>(code), plane);
}
void MatchCodes(std::span<const std::uint32_t> cells, Code code, std::uint64_t* plane) {
  HWY_DYNAMIC_DISPATCH(MatchCodes32)(cells.data(), cells.size(), code, plane);
}

void MatchRange(std::span<const Code> cells, Code first, Code last, std::uint64_t* plane) {
  HWY_DYNAMIC_DISPATCH(MatchRange)(cells.data(), cells.size(), first, last - first, plane);
}

void BitPlanes(std::span<const std::uint32_t> numbers, std::size_t bits, std::uint64_t* planes) {
  const std::size_t words = PlaneWords(numbers.size());
  std::fill_n(planes, bits * words, 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t b = 0; b < bits; ++b) {
      planes[b * words + i / 64] |= std::uint64_t{numbers[i] >> b & 1} << (i % 64);
    }
  }
}

std::vector<std::uint64_t> BitPlanes(std::span<const std::uint32_t> numbers) {
  const std::uint32_t most = numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
  const auto bits = std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(most)));
  std::vector<std::uint64_t> planes(bits * PlaneWords(numbers.size()));
  BitPlanes(numbers, bits, planes.data());
  return planes;
}

Count CountCode(std::span<const std::uint8_t> cells, Code code) {
  return HWY_DYNAMIC_DISPATCH(CountCode)(cells.data(), cells.size(), static_cast<std::uint8_t>(code));
}

Count CountBoth(const std::uint64_t* plane, std::span<const std::uint64_t> mask) {
  return HWY_DYNAMIC_DISPATCH(CountBoth)(plane, mask.data(), mask.size());
}

void SubtractRows(std::span<const Count> total, const Count* rows, std::size_t row_count, Count* out) {
  HWY_DYNAMIC_DISPATCH(SubtractRows)(total.data(), total.size(), rows, row_count, out);
}

PlaneCompressor::PlaneCompressor(std::span<const std::uint64_t> mask) : words_(mask.size()) {
  while (words_ > 0 && mask[words_ - 1] == 0) --words_;
  mask_.assign(mask.begin(), mask.begin() + static_cast<std::ptrdiff_t>(words_));
  moves_.resize(6 * words_);
  counts_.resize(words_);
  for (std::size_t w = 0; w < words_; ++w) {
    std::uint64_t kept = mask[w];
    counts_[w] = static_cast<std::uint8_t>(std::popcount(kept));
    kept_ += counts_[w];
    std::uint64_t zeros_below = ~kept << 1;
    for (int step = 0; step < 6; ++step) {
      std::uint64_t odd = zeros_below;  // bit i: an odd number of zeros_below's bits up to i
      for (int shift = 1; shift < 64; shift *= 2) odd ^= odd << shift;
      const std::uint64_t moved = odd & kept;
      moves_[static_cast<std::size_t>(step) * words_ + w] = moved;
      kept = (kept ^ moved) | (moved >> (1 << step));
      zeros_below &= ~odd;
    }
  }
}

void PlaneCompressor::Compress(const std::uint64_t* plane, std::uint64_t* out) const {
  constexpr std::size_t kChunk = 64;
  std::uint64_t compressed[kChunk];
  std::uint64_t word = 0;  // under construction, `fill` bits so far
  unsigned fill = 0;
  for (std::size_t first = 0; first < words_; first += kChunk) {
    const std::size_t size = std::min(kChunk, words_ - first);
    HWY_DYNAMIC_DISPATCH(CompressWords)
    (plane + first, mask_.data() + first, moves_.data() + first, words_, size, compressed);
    for (std::size_t w = 0; w < size; ++w) {
      const std::uint64_t bits = compressed[w];
      const std::uint64_t spilled = (bits >> 1) >> (63 - fill);
      word |= bits << fill;
      *out = word;
      fill += counts_[first + w];
      const bool full = fill >= 64;
      out += full;
      word = full ? spilled : word;
      fill &= 63;
    }
  }
  if (fill > 0) *out = word;
}

}  // namespace dtf
#endif  // HWY_ONCE
