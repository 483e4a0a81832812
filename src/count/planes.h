// Bit planes, and the kernels that make, narrow and count them.
//
// A plane says of each of n rows whether something holds: row i is bit i % 64 of word i / 64; bits from n on are 0. How
// often two things hold together is popcount(a & b), summed over n / 64 words. CountPlanes does this for a matrix of
// planes against another one; numbers of several bits a row (weights, quantised gradients) are a group of planes, least
// bit first, and are summed by the same kernel: Σ_p 2^p popcount(a & b_p).
//
// Vector instructions are chosen at run time (targets.h); results never depend on them. Nothing here allocates unless
// it says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "count/aligned_buffer.h"
#include "count/node_counts.h"

namespace dtf {

constexpr std::size_t PlaneWords(std::size_t rows) { return (rows + 63) / 64; }

// Planes one after another; a view.
struct PlaneMatrix {
  const std::uint64_t* first = nullptr;
  std::size_t planes = 0;
  std::size_t words = 0;  // of a plane

  const std::uint64_t* operator[](std::size_t plane) const { return first + plane * words; }
};

// The other operand of CountPlanes, packed for it: items of `bits` planes each, 16 items side by side.
class PlanePanels {
 public:
  static constexpr std::size_t kLanes = 16;

  // Allocates only when larger than ever before: 128 B a word, bit and panel.
  void Reset(std::size_t items, std::size_t bits, std::size_t words);

  std::size_t items() const { return items_; }
  std::size_t bits() const { return bits_; }
  std::size_t words() const { return words_; }
  std::size_t panels() const { return (items_ + kLanes - 1) / kLanes; }

  // Sets bit `bit` of the items [16 · panel, …): planes[i] & mask, or planes[i] alone when mask is null.
  // `planes`: 16 of them, null where there is no item.
  void Pack(std::size_t panel, std::size_t bit, std::span<const std::uint64_t* const> planes,
            const std::uint64_t* mask);

  // Words of one panel and bit: [words][16].
  const std::uint64_t* Panel(std::size_t panel, std::size_t bit) const {
    return packed_.data() + (panel * bits_ + bit) * words_ * kLanes;
  }

  std::uint64_t* Panel(std::size_t panel, std::size_t bit) {
    return packed_.data() + (panel * bits_ + bit) * words_ * kLanes;
  }

 private:
  std::size_t items_ = 0;
  std::size_t bits_ = 0;
  std::size_t words_ = 0;
  AlignedBuffer<std::uint64_t> packed_;
};

// Items of one bit each: these planes.
PlanePanels PackPlanes(PlaneMatrix planes);

// Where CountPlanes puts its counts: that of plane b and item i at first[(rows[b] − first_row) · stride + i].
struct CountRowsOut {
  Count* first = nullptr;
  std::size_t stride = 0;
  const std::uint32_t* rows = nullptr;
  std::size_t first_row = 0;
};

// For each plane b and item i: Σ_p 2^p popcount(plane_b & item_i's bit p), modulo 2^32. Writes exactly items.items()
// counts a plane. Cost: planes · items · bits · words AND + popcount; blocked for registers and both caches.
// REQUIRES: planes.words == items.words().
void CountPlanes(const PlanePanels& items, PlaneMatrix planes, CountRowsOut out);

// plane bit i = (cells[i] == code). Writes PlaneWords(n) words.
void MatchCodes(std::span<const std::uint8_t> cells, Code code, std::uint64_t* plane);
void MatchCodes(std::span<const std::uint16_t> cells, Code code, std::uint64_t* plane);
void MatchCodes(std::span<const std::uint32_t> cells, Code code, std::uint64_t* plane);

// plane bit i = (first <= cells[i] <= last). Writes PlaneWords(n) words. REQUIRES: first <= last.
void MatchRange(std::span<const Code> cells, Code first, Code last, std::uint64_t* plane);

// The bits of numbers: plane b, at planes + b · PlaneWords(n), has bit b of numbers[i] as its bit i. Writes `bits`
// planes. The first overload gives as many as the largest of them needs, at least one.
std::vector<std::uint64_t> BitPlanes(std::span<const std::uint32_t> numbers);
void BitPlanes(std::span<const std::uint32_t> numbers, std::size_t bits, std::uint64_t* planes);

// How many cells are `code`.
Count CountCode(std::span<const std::uint8_t> cells, Code code);

// popcount(plane & mask), at most 2^32 − 1. `plane`: as long as the mask.
Count CountBoth(const std::uint64_t* plane, std::span<const std::uint64_t> mask);

// out[i] = total[i] − Σ_r rows[r · n + i] for the n totals. REQUIRES: n is a multiple of PlanePanels::kLanes.
void SubtractRows(std::span<const Count> total, const Count* rows, std::size_t row_count, Count* out);

// Narrows planes over a node's rows to planes over some of these rows, which keep their order (PEXT over whole planes).
class PlaneCompressor {
 public:
  // `mask`: the rows kept, at least one. Allocates 56 B a word; some 50 ns a word.
  explicit PlaneCompressor(std::span<const std::uint64_t> mask);

  std::size_t kept() const { return kept_; }

  // Writes exactly PlaneWords(kept()) words. `plane`: as long as the mask. About 1 ns a word.
  void Compress(const std::uint64_t* plane, std::uint64_t* out) const;

 private:
  std::size_t words_;  // up to the last one that keeps a row
  std::size_t kept_ = 0;
  std::vector<std::uint64_t> mask_;
  std::vector<std::uint64_t> moves_;  // 6 × words: bits that step s moves down by 2^s
  std::vector<std::uint8_t> counts_;  // bits kept of each word
};

}  // namespace dtf
