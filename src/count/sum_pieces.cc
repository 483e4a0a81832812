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

// A set for each bit of the slot, and for each table the rows whose slot is in it.
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

// Bytes that every kind of vectors can look up at a time.
constexpr std::size_t kShuffled = 16;

// Sums are kept in the order in which low and high bytes are interleaved.
using D8 = hn::CappedTag<std::uint8_t, 8 * kPackedWords>;
constexpr std::size_t kStrip = std::max(kShuffled, hn::MaxLanes(D8()));
constexpr std::size_t PositionOf(std::size_t row) {
  const std::size_t in_strip = row % kStrip;
  return row - in_strip + row / 8 % 2 * (kStrip / 2) + in_strip / 16 * 8 + row % 8;
}

#if HWY_TARGET == HWY_SCALAR
// sums[i] += the value of row i's slot, for the rows of each table.
HWY_INLINE void AddValues(const SlotPlanes& slots, std::size_t size, const std::uint8_t* HWY_RESTRICT values,
                          std::uint16_t* HWY_RESTRICT sums) {
  for (std::size_t first = 0; first < size; first += kTableSlots) {
    const std::size_t here = std::min(kTableSlots, size - first);
    for (std::uint64_t rows = slots.tables[kPackedWords * (first / kTableSlots)]; rows != 0; rows &= rows - 1) {
      const auto row = static_cast<std::size_t>(std::countr_zero(rows));
      std::size_t slot = 0;
      for (std::size_t b = 0; b < kSlotBits; ++b) slot |= (slots.bits[kPackedWords * b] >> row & 1) << b;
      sums[PositionOf(row)] += static_cast<std::uint16_t>(values[slot] | values[here + slot] << 8);
    }
    values += 2 * here;
  }
}
#else
using V8 = hn::Vec<D8>;

// The strip of rows that begins at byte `at` of a plane.
HWY_INLINE auto StripOf(const std::uint64_t* planes, std::size_t plane, std::size_t at) {
  return hn::LoadMaskBits(D8(), reinterpret_cast<const std::uint8_t*>(planes + kPackedWords * plane) + at);
}

// value = values[slot] for the rows of the mask.
HWY_INLINE void LookUp(V8 slot, hn::Mask<D8> rows, const std::uint8_t* HWY_RESTRICT values, std::size_t size,
                       V8& value) {
#if HWY_TARGET == HWY_AVX3_DL
  value.raw = _mm512_mask_permutexvar_epi8(value.raw, rows.raw, slot.raw, _mm512_loadu_si512(values));
  (void)size;
#else
  // A byte whose highest bit is set looks up 0: that of slots of other sixteens, and of other rows. The bits between it
  // and the number must be 0: not all kinds of vectors pass over them.
  const D8 d;
  const V8 own = hn::IfThenElse(rows, slot, hn::Set(d, 0xFF));
  for (std::size_t i = 0; i < size; i += kShuffled) {
    const V8 far = hn::SaturatedAdd(hn::Xor(own, hn::Set(d, static_cast<std::uint8_t>(i))), hn::Set(d, 0x70));
    const V8 from = hn::And(far, hn::Set(d, 0x8F));
    value = hn::Or(value, hn::TableLookupBytesOr0(hn::LoadDup128(d, values + i), from));
  }
#endif
}

// sums[i] += the value of row i's slot, for the rows of each table.
HWY_INLINE void AddValues(const SlotPlanes& slots, std::size_t size, const std::uint8_t* HWY_RESTRICT values,
                          std::uint16_t* HWY_RESTRICT sums) {
  const D8 d;
  const hn::Repartition<std::uint16_t, D8> wide;
  constexpr std::size_t kStrips = 4;  // at a time
  const std::size_t bytes = hn::Lanes(d) / 8;
  for (std::size_t at = 0; at < 8 * hn::Lanes(D()); at += kStrips * bytes) {
    V8 slot[kStrips];
    V8 low[kStrips];
    V8 high[kStrips];
    // Unrolled, or else compilers clear these arrays by instructions that take as long as a look-up.
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < kStrips; ++i) {
      slot[i] = low[i] = high[i] = hn::Zero(d);
      HWY_UNROLL(6)
      for (std::size_t b = 0; b < kSlotBits; ++b) {
        const V8 bit = hn::Set(d, static_cast<std::uint8_t>(1 << b));
        slot[i] = hn::IfThenElse(StripOf(slots.bits, b, at + i * bytes), hn::Add(slot[i], bit), slot[i]);
      }
    }
    const std::uint8_t* table = values;
    for (std::size_t first = 0; first < size; first += kTableSlots) {
      const std::size_t here = std::min(kTableSlots, size - first);
      HWY_UNROLL(4)
      for (std::size_t i = 0; i < kStrips; ++i) {
        const auto rows = StripOf(slots.tables, first / kTableSlots, at + i * bytes);
        LookUp(slot[i], rows, table, here, low[i]);
        LookUp(slot[i], rows, table + here, here, high[i]);
      }
      table += 2 * here;
    }
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < kStrips; ++i) {
      std::uint16_t* sum = sums + 8 * (at + i * bytes);
      std::uint16_t* upper = sum + hn::Lanes(wide);
      hn::Store(hn::Add(hn::Load(wide, sum), hn::BitCast(wide, hn::InterleaveLower(d, low[i], high[i]))), wide, sum);
      hn::Store(hn::Add(hn::Load(wide, upper), hn::BitCast(wide, hn::InterleaveUpper(d, low[i], high[i]))), wide,
                upper);
    }
  }
}
#endif

// logits[i] += 2^shift · sums[i], and the sums are 0 again. The inner loop is unrolled: there PositionOf is constant.
HWY_INLINE void MoveSums(std::uint16_t* HWY_RESTRICT sums, int shift, Logit* HWY_RESTRICT logits) {
  const hn::CappedTag<std::int32_t, 8> d;
  const hn::Rebind<std::uint16_t, decltype(d)> narrow;
  for (std::size_t strip = 0; strip < 64 * hn::Lanes(D()); strip += kStrip) {
    HWY_UNROLL(8)
    for (std::size_t i = 0; i < kStrip; i += hn::Lanes(d)) {
      std::uint16_t* from = sums + strip + PositionOf(i);
      Logit* to = logits + strip + i;
      const auto sum = hn::ShiftLeftSame(hn::PromoteTo(d, hn::LoadU(narrow, from)), shift);
      hn::StoreU(hn::Add(hn::LoadU(d, to), sum), d, to);
      hn::StoreU(hn::Zero(narrow), narrow, from);
    }
  }
}

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

// The numbers of ends, four at a time.
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
    table_ = hn::OrAnd(all, table_, of_size(3));
    hn::Store(table_, d, slots_.tables + kPackedWords * (size_++ / 4));
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
  for (std::size_t b = 0; b < kSlotBits; ++b) hn::Store(PlaneOf(tests, test[b]), d, slots.bits + kPackedWords * b);
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
        AddValues(work.slots, kTableSlots, at.values, work.sums);
        at.tests += kSlotBits;
        at.values += 2 * kTableSlots;
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
