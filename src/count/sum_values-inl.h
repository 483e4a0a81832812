// From the slots of rows (tree_pieces.h) to the sums of their values, for each of Highway's targets. Include it in
// files that foreach_target.h compiles for each target, after that header.
//
// To look values up by vectors, a row's slot is a byte. The rows' bytes and their sums are in *strips*: strip k has the
// rows whose bits are the k-th bits of the bytes of a plane. So eight planes become eight strips by exchanging bits
// within bytes, and only the final sums are brought into the order of rows.
#if defined(DTF_COUNT_SUM_VALUES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DTF_COUNT_SUM_VALUES_INL_H
#undef DTF_COUNT_SUM_VALUES_INL_H
#else
#define DTF_COUNT_SUM_VALUES_INL_H
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

#include "count/sum_pieces.h"
#include "count/tree_pieces.h"

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A set of rows.
using D = hn::CappedTag<std::uint64_t, kPackedWords>;
using V = hn::Vec<D>;

// A set for each bit of a slot's number, and for each table the rows whose slot is in it.
struct SlotPlanes {
  HWY_ALIGN std::uint64_t bits[kSlotBits * kPackedWords];
  HWY_ALIGN std::uint64_t tables[kMostTables * kPackedWords];
};

#if HWY_TARGET == HWY_SCALAR
// Adds the values of the rows' slots to the sums of those rows whose slot is in one of the tables.
HWY_INLINE void AddValues(const SlotPlanes& slots, std::size_t size, const std::uint8_t* HWY_RESTRICT values,
                          std::uint16_t* HWY_RESTRICT sums) {
  for (std::size_t first = 0; first < size; first += kTableSlots) {
    const std::size_t here = std::min(kTableSlots, size - first);
    for (std::uint64_t rows = slots.tables[kPackedWords * (first / kTableSlots)]; rows != 0; rows &= rows - 1) {
      const auto row = static_cast<std::size_t>(std::countr_zero(rows));
      std::size_t slot = 0;
      for (std::size_t b = 0; b < kSlotBits; ++b) slot |= (slots.bits[kPackedWords * b] >> row & 1) << b;
      sums[row] += static_cast<std::uint16_t>(values[slot] | values[here + slot] << 8);
    }
    values += 2 * here;
  }
}

// logits[i] += 2^shift · the sum of row i, modulo 2^32; then the sums are 0 again.
HWY_INLINE void MoveSums(std::uint16_t* HWY_RESTRICT sums, int shift, Logit* HWY_RESTRICT logits) {
  for (std::size_t row = 0; row < 64; ++row) {
    logits[row] = static_cast<Logit>(static_cast<std::uint32_t>(logits[row]) + (std::uint32_t{sums[row]} << shift));
    sums[row] = 0;
  }
}
#else
using D8 = hn::Repartition<std::uint8_t, D>;
using D16 = hn::Repartition<std::uint16_t, D>;
using V8 = hn::Vec<D8>;
using V16 = hn::Vec<D16>;

constexpr std::size_t kStrips = 8;
static_assert(kStrips == kSlotBits + 1, "bytes have the bits of a number and one more");

// Bytes that every kind of vectors can look up at a time.
constexpr std::size_t kShuffled = 16;
static_assert(kEndsAtATime * kEndSlots % kShuffled == 0 && kLeavesAtATime % kShuffled == 0 &&
                  kTermSlots % kShuffled == 0 && kTableSlots % kShuffled == 0,
              "tables end where a look-up does");

// Swaps the bits of `a` in `low`, shifted up, with those of `b` in `low`.
template <int kShift>
HWY_INLINE void SwapBits(std::uint64_t low, V& a, V& b) {
  const V swapped = hn::And(hn::Xor(hn::ShiftRight<kShift>(a), b), hn::Set(D(), low));
  b = hn::Xor(b, swapped);
  a = hn::Xor(a, hn::ShiftLeft<kShift>(swapped));
}

// From a plane for each bit of a byte to a vector of bytes for each strip.
HWY_INLINE void PlanesToBytes(V (&v)[kStrips]) {
  for (std::size_t i = 0; i < 4; ++i) SwapBits<4>(0x0F0F0F0F0F0F0F0F, v[i], v[i + 4]);
  for (const std::size_t i : {0, 1, 4, 5}) SwapBits<2>(0x3333333333333333, v[i], v[i + 2]);
  for (const std::size_t i : {0, 2, 4, 6}) SwapBits<1>(0x5555555555555555, v[i], v[i + 1]);
}

struct Values {
  V8 low;
  V8 high;
};

// The values of slots in a table of `size`: `values` are their low bytes, then the high ones. 0 where the highest bit
// of a slot is set. AVX-512 reads up to 48 bytes behind the table.
template <std::size_t kVectors>
HWY_INLINE void LookUp(const V8 (&slot)[kVectors], const std::uint8_t* HWY_RESTRICT values, std::size_t size,
                       Values (&found)[kVectors]) {
#if HWY_TARGET == HWY_AVX3_DL
  const auto load = [](const std::uint8_t* from) HWY_ATTR { return _mm512_loadu_si512(from); };
  for (std::size_t i = 0; i < kVectors; ++i) {
    const __mmask64 is_here = ~_mm512_movepi8_mask(slot[i].raw);
    const auto in = [&](const std::uint8_t* table) HWY_ATTR {
      if (size <= 64) return V8{_mm512_maskz_permutexvar_epi8(is_here, slot[i].raw, load(table))};
      return V8{_mm512_maskz_permutex2var_epi8(is_here, load(table), slot[i].raw, load(table + 64))};
    };
    found[i] = {in(values), in(values + size)};
  }
#else
  const D8 d;
  for (Values& value : found) value.low = value.high = hn::Zero(d);
  for (std::size_t first = 0; first < size; first += kShuffled) {
    const V8 low = hn::LoadDup128(d, values + first);
    const V8 high = hn::LoadDup128(d, values + size + first);
    const V8 sixteen = hn::Set(d, static_cast<std::uint8_t>(first));
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < kVectors; ++i) {
      // Slots outside these sixteen get the highest bit, for which 0 is looked up.
      V8 from = hn::SaturatedAdd(hn::Xor(slot[i], sixteen), hn::Set(d, 0x70));
#if HWY_TARGET > HWY_SSE4
      from = hn::And(from, hn::Set(d, 0x8F));  // x86's look-up ignores the bits between, others do not
#endif
      found[i].low = hn::Or(found[i].low, hn::TableLookupBytesOr0(low, from));
      found[i].high = hn::Or(found[i].high, hn::TableLookupBytesOr0(high, from));
    }
  }
#endif
}

HWY_INLINE void AddTo(std::uint16_t* HWY_RESTRICT sums, V16 values) {
  hn::Store(hn::Add(hn::Load(D16(), sums), values), D16(), sums);
}

// Adds the values of the rows' slots to the sums of those rows whose slot is in one of the tables.
HWY_INLINE void AddValues(const SlotPlanes& slots, std::size_t size, const std::uint8_t* HWY_RESTRICT values,
                          std::uint16_t* HWY_RESTRICT sums) {
  const D d;
  const D8 d8;
  const D16 d16;
  for (std::size_t first = 0; first < size; first += kTableSlots) {
    V bytes[kStrips];
    for (std::size_t b = 0; b < kSlotBits; ++b) bytes[b] = hn::Load(d, slots.bits + kPackedWords * b);
    bytes[kSlotBits] = hn::Not(hn::Load(d, slots.tables + kPackedWords * (first / kTableSlots)));
    PlanesToBytes(bytes);
    const std::size_t here = std::min(kTableSlots, size - first);
    constexpr std::size_t kAtATime = 4;
    for (std::size_t strip = 0; strip < kStrips; strip += kAtATime) {
      V8 slot[kAtATime];
      Values found[kAtATime];
      for (std::size_t i = 0; i < kAtATime; ++i) slot[i] = hn::BitCast(d8, bytes[strip + i]);
      LookUp(slot, values, here, found);
      for (std::size_t i = 0; i < kAtATime; ++i) {
        // A strip has first the sums of the lower halves of all blocks of 128 bits, then those of the upper halves.
        std::uint16_t* sum = sums + 2 * hn::Lanes(d16) * (strip + i);
        AddTo(sum, hn::BitCast(d16, hn::InterleaveLower(d8, found[i].low, found[i].high)));
        AddTo(sum + hn::Lanes(d16), hn::BitCast(d16, hn::InterleaveUpper(d8, found[i].low, found[i].high)));
      }
    }
    values += 2 * here;
  }
}

// Interleaves the first half of the vectors with the second one, in each block of 128 bits: doing so three times
// transposes matrices of eight by eight.
HWY_INLINE void Interleave(V16 (&v)[kStrips]) {
  const D16 d;
  V16 out[kStrips];
  for (std::size_t i = 0; i < kStrips / 2; ++i) {
    out[2 * i] = hn::InterleaveLower(d, v[i], v[kStrips / 2 + i]);
    out[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[kStrips / 2 + i]);
  }
  for (std::size_t i = 0; i < kStrips; ++i) v[i] = out[i];
}

// logits[i] += 2^shift · the sum of row i, modulo 2^32; then the sums are 0 again.
HWY_INLINE void MoveSums(std::uint16_t* HWY_RESTRICT sums, int shift, Logit* HWY_RESTRICT logits) {
  const D16 d;
  for (std::size_t half = 0; half < 2; ++half) {
    std::uint16_t* of_half = sums + half * hn::Lanes(d);
    V16 v[kStrips];
    for (std::size_t i = 0; i < kStrips; ++i) v[i] = hn::Load(d, of_half + 2 * hn::Lanes(d) * i);
    for (int i = 0; i < 3; ++i) Interleave(v);
    for (std::size_t i = 0; i < kStrips; ++i) hn::Store(v[i], d, of_half + 2 * hn::Lanes(d) * i);
  }
  // Now each block of 128 bits has eight rows, one after the other.
  const hn::CappedTag<std::int32_t, 8> wide;
  const hn::Rebind<std::uint16_t, decltype(wide)> narrow;
  for (std::size_t block = 0; block < hn::Lanes(d); block += 8) {
    for (std::size_t i = 0; i < 2 * kStrips; ++i) {
      std::uint16_t* from = sums + hn::Lanes(d) * (i % kStrips * 2 + i / kStrips) + block;
      for (std::size_t row = 0; row < 8; row += hn::Lanes(wide), logits += hn::Lanes(wide)) {
        const auto sum = hn::ShiftLeftSame(hn::PromoteTo(wide, hn::LoadU(narrow, from + row)), shift);
        hn::StoreU(hn::Add(hn::LoadU(wide, logits), sum), wide, logits);
        hn::StoreU(hn::Zero(narrow), narrow, from + row);
      }
    }
  }
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#endif
