#include "count/answers.h"

#include "count/planes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "count/answers.cc"
#include "count/highway_targets.h"
// After the targets:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;
using DU = hn::RebindToUnsigned<D>;
using DI = hn::Rebind<std::int32_t, D>;
using V = hn::Vec<D>;
using VI = hn::Vec<DI>;

// Never fused: every target rounds twice.
HWY_INLINE V MulThenAdd(V a, V b, V c) { return hn::Add(hn::Mul(a, b), c); }

// Exp (base/exponential.h), operation by operation. REQUIRES: a result in the range of normal numbers.
HWY_INLINE V ExpInRange(V x) {
  const D d;
  const V round = hn::Set(d, 0x1.8p52);
  const V shifted = MulThenAdd(x, hn::Set(d, 0x1.71547652b82fep+0), round);
  const V k = hn::Sub(shifted, round);
  V r = hn::Sub(x, hn::Mul(k, hn::Set(d, 0x1.62e42fee00000p-1)));
  r = hn::Sub(r, hn::Mul(k, hn::Set(d, 0x1.a39ef35793c76p-33)));
  V series = hn::Set(d, 1.0 / 6227020800);
  for (const double inverse : {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                               1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2}) {
    series = MulThenAdd(series, r, hn::Set(d, inverse));
  }
  const V fraction = hn::Add(hn::Set(d, 1.0), MulThenAdd(hn::Mul(r, r), series, r));
  // 2^k: its exponent's field is k + 1023; the lowest bits of `shifted` are k.
  const auto field = hn::Add(hn::BitCast(DU(), shifted), hn::Set(DU(), 1023));
  return hn::Mul(fraction, hn::BitCast(d, hn::ShiftLeft<52>(field)));
}

// LnOnePlus (base/logarithm.h), operation by operation.
HWY_INLINE V LnOnePlusVector(V u) {
  const D d;
  const V s = hn::Div(u, hn::Add(hn::Set(d, 2.0), u));
  const V z = hn::Mul(s, s);
  V series = hn::Set(d, 2.0 / 35);
  for (int k = 33; k >= 3; k -= 2) series = MulThenAdd(series, z, hn::Set(d, 2.0 / k));
  const V half_square = hn::Mul(hn::Mul(hn::Set(d, 0.5), u), u);
  return hn::Sub(u, hn::Sub(half_square, hn::Mul(s, hn::Add(half_square, hn::Mul(z, series)))));
}

HWY_INLINE V ToNats(VI logits) { return hn::Mul(hn::Set(D(), kLogitUnit), hn::PromoteTo(D(), logits)); }

// ln(1 + e^-|f|)
HWY_INLINE V SmallerNats(VI logits) {
  const VI exponent = hn::Min(hn::Abs(logits), hn::Set(DI(), kMostExponent));
  return LnOnePlusVector(ExpInRange(hn::Neg(ToNats(exponent))));
}

// All ones in the lanes whose bit, counted from `shift`, is set.
HWY_INLINE VI LanesOf(std::uint64_t word, std::size_t shift) {
  const DI d;
  const auto bit = hn::Shl(hn::Set(d, 1), hn::Iota(d, 0));
  return hn::VecFromMask(d, hn::TestBit(hn::Set(d, static_cast<std::int32_t>(word >> shift)), bit));
}

// -ln of the probability of an answer with such log-odds.
HWY_INLINE V NatsOf(VI margin) {
  return hn::Add(ToNats(hn::Max(hn::Neg(margin), hn::Zero(DI()))), SmallerNats(margin));
}

// AddAnswerNats for few rows, which are brought together first.
void AddFewAnswerNats(const Logit* HWY_RESTRICT logits, std::size_t words, const std::uint64_t* HWY_RESTRICT mask,
                      const std::uint64_t* HWY_RESTRICT yes, double* HWY_RESTRICT nats) {
  constexpr std::size_t kRows = 128;  // at least 64 at a time, so that stores are long done when vectors read them
  HWY_ALIGN Logit margins[kRows] = {};
  HWY_ALIGN double found[kRows];
  std::uint32_t rows[kRows];
  std::size_t size = 0;
  for (std::size_t w = 0; w < words; ++w) {
    for (std::uint64_t left = mask[w]; left != 0; left &= left - 1) {
      const std::size_t row = 64 * w + hwy::Num0BitsBelowLS1Bit_Nonzero64(left);
      const Logit no = static_cast<Logit>(yes[w] >> (row % 64) & 1) - 1;  // all ones for no
      rows[size] = static_cast<std::uint32_t>(row);
      margins[size++] = (logits[row] ^ no) - no;
    }
    if (size <= kRows - 64 && w + 1 < words) continue;
    for (std::size_t i = 0; i < size; i += hn::Lanes(D()))
      hn::Store(NatsOf(hn::Load(DI(), margins + i)), D(), found + i);
    for (std::size_t i = 0; i < size; ++i) nats[rows[i]] += found[i];
    size = 0;
  }
}

// Several vectors at a time: an answer is a long chain of operations, each of which waits for the one before it.
void AddAnswerNats(const Logit* HWY_RESTRICT logits, std::size_t words, const std::uint64_t* HWY_RESTRICT mask,
                   const std::uint64_t* HWY_RESTRICT yes, double* HWY_RESTRICT nats) {
  const D d;
  const DI di;
  const hn::RebindToSigned<D> wide;
  constexpr std::size_t kVectors = 4;
  static_assert(64 % (kVectors * hn::MaxLanes(d)) == 0);
  for (std::size_t first = 0; first < 64 * words; first += kVectors * hn::Lanes(d)) {
    const std::uint64_t rows = mask[first / 64] >> first % 64;
    const std::uint64_t answers = yes[first / 64] >> first % 64;
    V found[kVectors];
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < kVectors; ++i) {
      const VI is_no = hn::Not(LanesOf(answers, i * hn::Lanes(d)));
      const VI logit = hn::LoadU(di, logits + first + i * hn::Lanes(d));
      found[i] = NatsOf(hn::Sub(hn::Xor(logit, is_no), is_no));
    }
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < kVectors; ++i) {
      double* sum = nats + first + i * hn::Lanes(d);
      const auto is_here = hn::PromoteTo(wide, LanesOf(rows, i * hn::Lanes(d)));
      const V kept = hn::BitCast(d, hn::And(hn::BitCast(wide, found[i]), is_here));
      hn::StoreU(hn::Add(hn::LoadU(d, sum), kept), d, sum);
    }
  }
}

void AddBothAnswers(const Logit* HWY_RESTRICT logits, std::size_t size, const double* nats, double* yes, double* no) {
  const D d;
  const DI di;
  for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
    const VI logit = hn::LoadU(di, logits + i);
    const V smaller = SmallerNats(logit);
    const V before = hn::LoadU(d, nats + i);
    const V of_yes = hn::Add(ToNats(hn::Max(hn::Neg(logit), hn::Zero(di))), smaller);
    const V of_no = hn::Add(ToNats(hn::Max(logit, hn::Zero(di))), smaller);
    hn::StoreU(hn::Add(before, of_yes), d, yes + i);
    hn::StoreU(hn::Add(before, of_no), d, no + i);
  }
}

void DrawAnswers(const Logit* HWY_RESTRICT logits, std::size_t words, const std::uint64_t* HWY_RESTRICT mask,
                 const std::uint64_t* HWY_RESTRICT draws, std::uint64_t* HWY_RESTRICT yes) {
  const D d;
  const DI di;
  const V one = hn::Set(d, 1.0);
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; mask[w] != 0 && i < 64; i += hn::Lanes(d)) {
      const std::size_t row = 64 * w + i;
      const VI most = hn::Set(di, kMostExponent);
      const VI logit = hn::Max(hn::Neg(most), hn::Min(hn::LoadU(di, logits + row), most));
      const V p = hn::Div(one, hn::Add(one, ExpInRange(hn::Neg(ToNats(logit)))));
      HWY_ALIGN double drawn[8];
      for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
        drawn[lane] = static_cast<double>(static_cast<std::int64_t>(draws[row + lane]));
      }
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(d, hn::Lt(hn::Mul(hn::Load(d, drawn), hn::Set(d, 0x1p-53)), p), bits);
      word |= std::uint64_t{bits[0]} << i;
    }
    yes[w] = word & mask[w];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dtf {

HWY_EXPORT(AddAnswerNats);
HWY_EXPORT(AddFewAnswerNats);
HWY_EXPORT(AddBothAnswers);
HWY_EXPORT(DrawAnswers);

void AddAnswerNats(std::span<const Logit> logits, const std::uint64_t* mask, const std::uint64_t* yes,
                   std::span<double> nats) {
  const std::size_t words = logits.size() / 64;
  const bool are_few = CountBoth(mask, {mask, words}) < 32 * words;
  (are_few ? HWY_DYNAMIC_DISPATCH(AddFewAnswerNats) : HWY_DYNAMIC_DISPATCH(AddAnswerNats))(logits.data(), words, mask,
                                                                                           yes, nats.data());
}

void AddBothAnswers(std::span<const Logit> logits, std::span<const double> nats, std::span<double> yes,
                    std::span<double> no) {
  HWY_DYNAMIC_DISPATCH(AddBothAnswers)(logits.data(), logits.size(), nats.data(), yes.data(), no.data());
}

void DrawAnswers(std::span<const Logit> logits, const std::uint64_t* mask, std::span<const std::uint64_t> draws,
                 std::uint64_t* yes) {
  HWY_DYNAMIC_DISPATCH(DrawAnswers)(logits.data(), logits.size() / 64, mask, draws.data(), yes);
}

}  // namespace dtf
#endif  // HWY_ONCE
