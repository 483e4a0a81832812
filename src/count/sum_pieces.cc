#include "count/sum_pieces.h"

#include <algorithm>
#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "count/sum_pieces.cc"
#include "count/highway_targets.h"
// After the targets:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<std::uint64_t, kPackedWords>;
using V = hn::Vec<D>;

// A set for each bit of a slot's number, and for each table the rows whose slot is in it.
struct SlotPlanes {
  HWY_ALIGN std::uint64_t bits[kSlotBits * kPackedWords];
  HWY_ALIGN std::uint64_t tables[kMostTables * kPackedWords];
};

// Bit by bit. (Highway's IfVecThenElse may look at one bit of a byte only.)
HWY_INLINE V Select(V which, V yes, V no) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return hn::IfVecThenElse(which, yes, no);
#else
  return hn::Xor(no, hn::And(which, hn::Xor(yes, no)));
#endif
}

// Rows are told by a byte each where values are looked up: these are in *strips*, of which strip k has the rows whose
// bits are the k-th ones of the bytes of a plane. So have sums.
constexpr std::size_t kStrips = 8;

#if HWY_TARGET == HWY_SCALAR
// sums[i] += the value of the slot of the i-th row in strips, for the rows of each table.
HWY_INLINE void AddValues(const SlotPlanes& slots, std::size_t size, const std::uint8_t* HWY_RESTRICT values,
                          std::uint16_t* HWY_RESTRICT sums) {
  for (std::size_t first = 0; first < size; first += kTableSlots) {
    const std::size_t here = std::min(kTableSlots, size - first);
    for (std::uint64_t rows = slots.tables[kPackedWords * (first / kTableSlots)]; rows != 0; rows &= rows - 1) {
      const auto row = static_cast<std::size_t>(std::countr_zero(rows));
      std::size_t slot = 0;
      for (std::size_t b = 0; b < kSlotBits; ++b) slot |= (slots.bits[kPackedWords * b] >> row & 1) << b;
      sums[8 * (row % kStrips) + row / kStrips] += static_cast<std::uint16_t>(values[slot] | values[here + slot] << 8);
    }
    values += 2 * here;
  }
}

// logits[i] += 2^shift · the sum of row i, and the sums are 0 again.
HWY_INLINE void MoveSums(std::uint16_t* HWY_RESTRICT sums, int shift, Logit* HWY_RESTRICT logits) {
  for (std::size_t row = 0; row < 64; ++row) {
    logits[row] += sums[8 * (row % kStrips) + row / kStrips] << shift;
    sums[8 * (row % kStrips) + row / kStrips] = 0;
  }
}
#else
using D8 = hn::Repartition<std::uint8_t, D>;
using D16 = hn::Repartition<std::uint16_t, D>;
using V8 = hn::Vec<D8>;
using V16 = hn::Vec<D16>;

// Bytes that every kind of vectors can look up at a time.
constexpr std::size_t kShuffled = 16;

// Swaps the bits of `a` that `low`, shifted up, leaves out with those of `b` in `low`.
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

// The low and high bytes of values[slot] for `size` slots; 0 where the highest bit of `slot` is set.
struct Values {
  V8 low;
  V8 high;
};
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
      // A byte whose highest bit is set looks up 0: that of slots of other sixteens.
      V8 from = hn::SaturatedAdd(hn::Xor(slot[i], sixteen), hn::Set(d, 0x70));
#if !HWY_ARCH_X86
      from = hn::And(from, hn::Set(d, 0x8F));  // not all kinds of vectors pass over the bits between
#endif
      found[i].low = hn::Or(found[i].low, hn::TableLookupBytesOr0(low, from));
      found[i].high = hn::Or(found[i].high, hn::TableLookupBytesOr0(high, from));
    }
  }
#endif
}

// Each strip's sums are in the order in which low and high bytes are interleaved: that of the lower halves of all
// blocks of 128 bits comes first.
HWY_INLINE void AddTo(std::uint16_t* HWY_RESTRICT sums, V16 values) {
  hn::Store(hn::Add(hn::Load(D16(), sums), values), D16(), sums);
}

// sums[i] += the value of the slot of the i-th row in strips, for the rows of each table.
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

// logits[i] += 2^shift · the sum of row i, and the sums are 0 again.
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

// What a piece is worked out in.
struct Workplace {
  HWY_ALIGN std::uint64_t sets[kPieceSets * kPackedWords];
  SlotPlanes slots;
  HWY_ALIGN std::uint16_t sums[64 * kPackedWords];
};

HWY_INLINE V PlaneOf(PlaneMatrix tests, std::uint32_t test) { return hn::LoadU(D(), tests[test]); }

// The sets of both children of each inner node.
HWY_INLINE void SplitRows(PlaneMatrix tests, const std::uint32_t* HWY_RESTRICT test,
                          const std::uint8_t* HWY_RESTRICT at, std::size_t nodes, std::uint64_t* HWY_RESTRICT sets) {
  const D d;
  std::uint64_t* child = sets + kPackedWords;
  for (std::size_t i = 0; i < nodes; ++i) {
    const V here = hn::Load(d, sets + kPackedWords * at[i]);
    const V passes = PlaneOf(tests, test[i]);
    hn::Store(hn::And(passes, here), d, child);
    hn::Store(hn::AndNot(passes, here), d, child + kPackedWords);
    child += 2 * kPackedWords;
  }
}

// The numbers of ends' slots, four ends at a time.
class EndNumbers {
 public:
  explicit EndNumbers(SlotPlanes& slots) : slots_(slots) {
    for (V& plane : bits_) plane = hn::Zero(D());
    table_ = hn::Zero(D());
  }

  // The sets of the next four ends; second, first: of these, the two lower bits of the slot.
  HWY_INLINE void Add(const V* set, V first, V second) {
    const D d;
    const V all = hn::Or(hn::Or3(set[0], set[1], set[2]), set[3]);
    const auto of_size = [&](std::size_t bits)
                             HWY_ATTR { return hn::Set(d, (size_ & bits) != 0 ? ~std::uint64_t{0} : 0); };
    bits_[0] = hn::Or(bits_[0], second);
    bits_[1] = hn::Or(bits_[1], first);
    bits_[2] = hn::Or3(bits_[2], set[1], set[3]);
    bits_[3] = hn::Or3(bits_[3], set[2], set[3]);
    bits_[4] = hn::OrAnd(bits_[4], all, of_size(1));
    bits_[5] = hn::OrAnd(bits_[5], all, of_size(2));
    bits_[6] = hn::OrAnd(bits_[6], all, of_size(4));
    table_ = hn::OrAnd(all, table_, of_size(7));
    hn::Store(table_, d, slots_.tables + kPackedWords * (size_++ / 8));
  }

  HWY_INLINE void Finish() {
    for (std::size_t b = 0; b < kSlotBits; ++b) hn::Store(bits_[b], D(), slots_.bits + kPackedWords * b);
  }

 private:
  SlotPlanes& slots_;
  V bits_[kSlotBits];
  V table_;
  std::size_t size_ = 0;
};

// The slots of the rows that reach an end. set: of each end, then of single leaves. test: three for each end.
HWY_INLINE void FindSlots(PlaneMatrix tests, const TreePieces::Piece& piece, const std::uint32_t* HWY_RESTRICT test,
                          const std::uint8_t* HWY_RESTRICT set, const std::uint64_t* HWY_RESTRICT sets,
                          SlotPlanes& slots) {
  const D d;
  EndNumbers numbers(slots);
  const auto next = [&]() HWY_ATTR { return hn::Load(d, sets + kPackedWords * *set++); };
  V ends[kEndsAtATime];
  for (std::size_t i = 0; i < piece.ends; i += kEndsAtATime) {
    V first = hn::Zero(d);
    V second = hn::Zero(d);
    for (V& end : ends) {
      end = next();
      const V passes = PlaneOf(tests, test[0]);
      first = hn::OrAnd(first, end, passes);
      second = hn::OrAnd(second, end, Select(passes, PlaneOf(tests, test[1]), PlaneOf(tests, test[2])));
      test += 3;
    }
    numbers.Add(ends, first, second);
  }
  for (std::size_t i = 0; i < piece.leaves; i += kLeavesAtATime) {
    V first = hn::Zero(d);
    V second = hn::Zero(d);
    for (V& end : ends) {
      const V leaves[kEndSlots] = {next(), next(), next(), next()};
      first = hn::Or3(first, leaves[2], leaves[3]);
      second = hn::Or3(second, leaves[1], leaves[3]);
      end = hn::Or(hn::Or3(leaves[0], leaves[1], leaves[2]), leaves[3]);
    }
    numbers.Add(ends, first, second);
  }
  numbers.Finish();
}

// The slots of a table of terms: a bit for each of their tests.
HWY_INLINE void FindTermSlots(PlaneMatrix tests, const std::uint32_t* test, V rows, SlotPlanes& slots) {
  const D d;
  for (std::size_t b = 0; b < kTermsAtATime; ++b) hn::Store(PlaneOf(tests, test[b]), d, slots.bits + kPackedWords * b);
  hn::Store(hn::Zero(d), d, slots.bits + kPackedWords * kTermsAtATime);
  hn::Store(rows, d, slots.tables);
}

// What is read next.
struct Position {
  explicit Position(const TreePieces& pieces)
      : piece(pieces.pieces.data()),
        tests(pieces.tests.data()),
        sets(pieces.sets.data()),
        values(pieces.values.data()) {}

  const TreePieces::Piece* piece;
  const std::uint32_t* tests;
  const std::uint8_t* sets;
  const std::uint8_t* values;
};

// tests: from the first of the rows on.
HWY_INLINE void SumRows(const TreePieces& pieces, PlaneMatrix tests, V rows, std::uint64_t* HWY_RESTRICT roots,
                        Logit* HWY_RESTRICT logits) {
  const D d;
  Workplace work;
  hn::Store(hn::Zero(d), d, work.sets + kPackedWords * kEmptySet);
  std::fill_n(work.sums, 64 * hn::Lanes(d), std::uint16_t{0});
  Position at(pieces);
  std::size_t root = 0;  // of the next piece
  std::size_t known_roots = 0;
  for (const TreePieces::Group& group : pieces.groups) {
    for (const TreePieces::Piece* end = at.piece + group.pieces; at.piece != end; ++at.piece) {
      const TreePieces::Piece piece = *at.piece;
      const std::size_t slots = piece.slots();
      if (piece.is_of_terms()) {
        FindTermSlots(tests, at.tests, rows, work.slots);
        AddValues(work.slots, kTermSlots, at.values, work.sums);
        at.tests += kTermsAtATime;
        at.values += 2 * kTermSlots;
        continue;
      }
      if (piece.starts_tree) {
        hn::Store(rows, d, roots);
        root = 0;
        known_roots = 1;
      }
      const V here = hn::Load(d, roots + kPackedWords * root++);
      const std::uint8_t* exits = at.sets + piece.nodes + piece.ends + piece.leaves;
      if (hn::AllTrue(d, hn::Eq(here, hn::Zero(d)))) {
        for (std::size_t i = 0; i < piece.exits; ++i) hn::Store(here, d, roots + kPackedWords * known_roots++);
      } else {
        hn::Store(here, d, work.sets);
        SplitRows(tests, at.tests, at.sets, piece.nodes, work.sets);
        FindSlots(tests, piece, at.tests + piece.nodes, at.sets + piece.nodes, work.sets, work.slots);
        AddValues(work.slots, slots, at.values, work.sums);
        for (std::size_t i = 0; i < piece.exits; ++i) {
          hn::Store(hn::Load(d, work.sets + kPackedWords * exits[i]), d, roots + kPackedWords * known_roots++);
        }
      }
      at.tests += piece.nodes + 3 * piece.ends;
      at.sets = exits + piece.exits;
      at.values += 2 * slots;
    }
    MoveSums(work.sums, group.shift, logits);
  }
}

void SumPieces(const TreePieces& pieces, PlaneMatrix tests, const std::uint64_t* HWY_RESTRICT mask, std::size_t words,
               std::uint64_t* HWY_RESTRICT roots, Logit* HWY_RESTRICT logits) {
  const D d;
  for (std::size_t word = 0; word < words; word += hn::Lanes(d)) {
    const V rows = hn::LoadU(d, mask + word);
    if (hn::AllTrue(d, hn::Eq(rows, hn::Zero(d)))) continue;
    std::fill_n(logits + 64 * word, 64 * hn::Lanes(d), static_cast<Logit>(pieces.bias));
    SumRows(pieces, {tests.first + word, tests.planes, tests.words}, rows, roots, logits + 64 * word);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dtf {

HWY_EXPORT(SumPieces);

void SumPieces(const TreePieces& pieces, PlaneMatrix tests, const std::uint64_t* mask, std::size_t words,
               std::uint64_t* roots, Logit* logits) {
  HWY_DYNAMIC_DISPATCH(SumPieces)(pieces, tests, mask, words, roots, logits);
}

}  // namespace dtf
#endif  // HWY_ONCE
