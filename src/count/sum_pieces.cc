#include "count/sum_pieces.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "count/sum_pieces.cc"
#include "count/highway_targets.h"
// After the targets:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "count/sum_values-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {

// Bit by bit. (Highway's IfVecThenElse may look at one bit of a byte only.)
HWY_INLINE V Select(V which, V yes, V no) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return hn::IfVecThenElse(which, yes, no);
#else
  return hn::Xor(no, hn::And(which, hn::Xor(yes, no)));
#endif
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

void SumPieces(const TreePieces& pieces, Logit bias, PlaneMatrix tests, const std::uint64_t* HWY_RESTRICT mask,
               std::size_t words, std::uint64_t* HWY_RESTRICT roots, Logit* HWY_RESTRICT logits) {
  const D d;
  const auto first = static_cast<Logit>(static_cast<std::uint32_t>(bias) + pieces.low);
  for (std::size_t word = 0; word < words; word += hn::Lanes(d)) {
    const V rows = hn::LoadU(d, mask + word);
    if (hn::AllTrue(d, hn::Eq(rows, hn::Zero(d)))) continue;
    std::fill_n(logits + 64 * word, 64 * hn::Lanes(d), first);
    SumRows(pieces, {tests.first + word, tests.planes, tests.words}, rows, roots, logits + 64 * word);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dtf {

HWY_EXPORT(SumPieces);

void SumPieces(const TreePieces& pieces, Logit bias, PlaneMatrix tests, const std::uint64_t* mask, std::size_t words,
               std::uint64_t* roots, Logit* logits) {
  HWY_DYNAMIC_DISPATCH(SumPieces)(pieces, bias, tests, mask, words, roots, logits);
}

}  // namespace dtf
#endif  // HWY_ONCE
