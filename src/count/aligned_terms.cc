#include "count/aligned_terms.h"

#include <algorithm>
#include <utility>

#include "count/aligned_terms_wide.h"
#include "count/sorting_network.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "count/aligned_terms.cc"
#include "count/highway_targets.h"
// After the targets:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::ScalableTag<Count>;
using V32 = hn::Vec<D32>;
using DDouble = hn::ScalableTag<double>;
using VDouble = hn::Vec<DDouble>;

constexpr std::size_t kCounts = hn::MaxLanes(D32());
constexpr std::size_t kDoubles = hn::MaxLanes(DDouble());

// values[index[0]], …, one a lane. Loads one by one are twice as fast as gathers on AMD, and no slower on Intel.
HWY_INLINE VDouble Lookup(const double* HWY_RESTRICT values, const Count* HWY_RESTRICT index) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const __m256d low = _mm256_set_pd(values[index[3]], values[index[2]], values[index[1]], values[index[0]]);
  const __m256d high = _mm256_set_pd(values[index[7]], values[index[6]], values[index[5]], values[index[4]]);
  return VDouble{_mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1)};
#elif HWY_TARGET == HWY_AVX2
  return VDouble{_mm256_set_pd(values[index[3]], values[index[2]], values[index[1]], values[index[0]])};
#else
  double lanes[kDoubles];
  for (std::size_t i = 0; i < kDoubles; ++i) lanes[i] = values[index[i]];
  return hn::LoadU(DDouble(), lanes);
#endif
}

// scores[i] += term(index + i) + constant, kDoubles of the kCounts places at a time.
template <typename Term>
HWY_INLINE void AddTerms(const Count* index, double constant, double* scores, Term term) {
  const DDouble d;
  for (std::size_t i = 0; i < kCounts; i += kDoubles) {
    const VDouble terms = hn::Add(term(index + i), hn::Set(d, constant));
    hn::StoreU(hn::Add(hn::LoadU(d, scores + i), terms), d, scores + i);
  }
}

// At most one code: all of the node's rows have it, on either side.
void AddOneCode(const AlignedFeature& feature, std::size_t width, double* scores) {
  const DDouble d;
  const double value = feature.node.empty() ? 0.0 : feature.values[feature.beside[0] + feature.node[0]];
  const double term = (0.0 + value) + feature.constant;
  for (std::size_t c = 0; c < width; c += kDoubles) {
    hn::StoreU(hn::Add(hn::LoadU(d, scores + c), hn::Set(d, term)), d, scores + c);
  }
}

// Two codes. The lesser sum m is at most the rarer code's count and the other sum is n − m: the term is a function of
// m.
class TwoCodes {
 public:
  explicit TwoCodes(const AlignedFeature& feature)
      : feature_(feature),
        low_(feature.values.data() + feature.beside[0]),
        high_(feature.values.data() + feature.beside[1] + feature.node[0] + feature.node[1]) {}

  // Terms and constant for m = 0 … size − 1.
  HWY_INLINE void Tabulate(std::size_t size, double* HWY_RESTRICT table) const {
    const DDouble d;
    const VDouble constant = hn::Set(d, feature_.constant);
    std::size_t m = 0;
    for (; m + kDoubles <= size; m += kDoubles) {
      const VDouble high = hn::Reverse(d, hn::LoadU(d, high_ - m - (kDoubles - 1)));
      const VDouble low = hn::Add(hn::Zero(d), hn::LoadU(d, low_ + m));
      hn::StoreU(hn::Add(hn::Add(low, high), constant), d, table + m);
    }
    for (; m < size; ++m) table[m] = ((0.0 + low_[m]) + *(high_ - m)) + feature_.constant;
  }

  // The lesser sums of kCounts candidates.
  HWY_INLINE V32 LesserSums(const Count* HWY_RESTRICT left0, const Count* HWY_RESTRICT left1) const {
    const D32 d;
    const V32 l0 = hn::LoadU(d, left0);
    const V32 l1 = hn::LoadU(d, left1);
    return hn::Add(hn::Min(l0, l1),
                   hn::Min(hn::Sub(hn::Set(d, feature_.node[0]), l0), hn::Sub(hn::Set(d, feature_.node[1]), l1)));
  }

  HWY_INLINE VDouble Terms(const Count* HWY_RESTRICT lesser) const {
    HWY_ALIGN Count minus[kDoubles];
    for (std::size_t i = 0; i < kDoubles; ++i) minus[i] = feature_.node[0] + feature_.node[1] - lesser[i];
    const VDouble low = hn::Add(hn::Zero(DDouble()), Lookup(low_, lesser));
    return hn::Add(low, Lookup(feature_.values.data() + feature_.beside[1], minus));
  }

 private:
  const AlignedFeature& feature_;
  const double* low_;   // low_[m]: the value of the lesser sum
  const double* high_;  // high_[−m]: the value of the other
};

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#define DTF_TABLE_IN_REGISTERS
// Tables that fit in four registers are read by permutations.
constexpr std::size_t kInRegisters = 32;

HWY_INLINE void AddFromRegisters(const TwoCodes& codes, const double* table, const Count* left0, const Count* left1,
                                 std::size_t width, double* scores) {
  const DDouble d;
  const __m512d t0 = hn::LoadU(d, table).raw;
  const __m512d t1 = hn::LoadU(d, table + 8).raw;
  const __m512d t2 = hn::LoadU(d, table + 16).raw;
  const __m512d t3 = hn::LoadU(d, table + 24).raw;
  const auto add = [&](__m256i index32, double* to) HWY_ATTR {
    const __m512i index = _mm512_cvtepu32_epi64(index32);
    const __m512d below16 = _mm512_permutex2var_pd(t0, index, t1);
    const __m512d from16 = _mm512_permutex2var_pd(t2, index, t3);
    const __mmask8 is_from16 = _mm512_test_epi64_mask(index, _mm512_set1_epi64(16));
    const __m512d terms = _mm512_mask_mov_pd(below16, is_from16, from16);
    _mm512_storeu_pd(to, _mm512_add_pd(_mm512_loadu_pd(to), terms));
  };
  for (std::size_t c = 0; c < width; c += kCounts) {
    const __m512i lesser = codes.LesserSums(left0 + c, left1 + c).raw;
    add(_mm512_castsi512_si256(lesser), scores + c);
    add(_mm512_extracti64x4_epi64(lesser, 1), scores + c + 8);
  }
}
#endif

void AddTwoCodes(const AlignedFeature& feature, const Count* left0, const Count* left1, std::size_t width,
                 double* scores) {
  constexpr std::size_t kMostTabulated = 1024;
  const D32 d;
  const TwoCodes codes(feature);
  const std::size_t size = std::min(feature.node[0], feature.node[1]) + std::size_t{1};
  HWY_ALIGN double table[kMostTabulated];
  HWY_ALIGN Count lesser[kCounts];
  const bool tabulated = size <= std::min(2 * width, kMostTabulated);
  if (tabulated) codes.Tabulate(size, table);
#ifdef DTF_TABLE_IN_REGISTERS
  if (tabulated && size <= kInRegisters) {
    std::fill(table + size, table + kInRegisters, 0.0);
    AddFromRegisters(codes, table, left0, left1, width, scores);
    return;
  }
#endif
  for (std::size_t c = 0; c < width; c += kCounts) {
    hn::Store(codes.LesserSums(left0 + c, left1 + c), d, lesser);
    if (tabulated) {
      for (std::size_t i = 0; i < kCounts; i += kDoubles) {
        const DDouble dd;
        hn::StoreU(hn::Add(hn::LoadU(dd, scores + c + i), Lookup(table, lesser + i)), dd, scores + c + i);
      }
    } else {
      AddTerms(lesser, feature.constant, scores + c, [&](const Count* index) HWY_ATTR { return codes.Terms(index); });
    }
  }
}

// The sums of `ranks` values for kDoubles candidates. index: [ranks][kCounts], here at the first candidate.
HWY_INLINE VDouble SumRanks(const AlignedFeature& feature, const Count* HWY_RESTRICT index) {
  VDouble terms = hn::Zero(DDouble());
  for (std::size_t r = 0; r < feature.node.size(); ++r, index += kCounts) {
    terms = hn::Add(terms, Lookup(feature.values.data() + feature.beside[r], index));
  }
  return terms;
}

HWY_INLINE void Exchange(V32& low, V32& high) {
  const V32 least = hn::Min(low, high);
  high = hn::Max(low, high);
  low = least;
}

// Sorts lane by lane: the comparators of a network that is known to the compiler, so all stays in registers.
template <std::size_t kCodes, std::size_t... k>
HWY_INLINE void SortVectors(V32 (&counts)[kCodes], std::index_sequence<k...>) {
  constexpr auto& kNetwork = kSortingNetwork<kCodes>;
  (Exchange(counts[kNetwork[k].low], counts[kNetwork[k].high]), ...);
}

// Sets index[r][…] to the r-th least of kCodes vectors, or adds it.
template <std::size_t kCodes>
HWY_INLINE void SortInto(V32 (&counts)[kCodes], bool add, Count* HWY_RESTRICT index) {
  const D32 d;
  SortVectors(counts, std::make_index_sequence<kSortingNetwork<kCodes>.size()>());
  for (std::size_t r = 0; r < kCodes; ++r) {
    const V32 before = add ? hn::Load(d, index + r * kCounts) : hn::Zero(d);
    hn::Store(hn::Add(before, counts[r]), d, index + r * kCounts);
  }
}

// A few codes: kCodes − kFewer to kCodes. Missing ones are counted 0 on both sides and so fill the lowest ranks, which
// are left out.
template <std::size_t kCodes, std::size_t kFewer = 0>
HWY_INLINE void AddFewCodes(const AlignedFeature& feature, const Count* left_counts, std::size_t width,
                            double* scores) {
  const D32 d;
  const std::size_t codes = feature.node.size();
  HWY_ALIGN Count index[kCodes * kCounts];
  for (std::size_t c = 0; c < width; c += kCounts) {
    V32 counts[kCodes];
    for (std::size_t i = 0; i < kCodes; ++i) {
      counts[i] = i + kFewer < kCodes || i < codes ? hn::LoadU(d, left_counts + i * width + c) : hn::Zero(d);
    }
    SortInto(counts, false, index);
    for (std::size_t i = 0; i < kCodes; ++i) {
      counts[i] = i + kFewer < kCodes || i < codes
                      ? hn::Sub(hn::Set(d, feature.node[i]), hn::LoadU(d, left_counts + i * width + c))
                      : hn::Zero(d);
    }
    SortInto(counts, true, index);
    const Count* ranks = index + (kCodes - codes) * kCounts;
    AddTerms(ranks, feature.constant, scores + c, [&](const Count* at) HWY_ATTR { return SumRanks(feature, at); });
  }
}

// Up to kMostSorted codes: the same in memory. Both sides at once, as each comparator waits for what the one before it
// wrote.
void AddSomeCodes(const AlignedFeature& feature, const Count* left_counts, std::size_t width, double* scores) {
  const D32 d;
  const std::size_t codes = feature.node.size();
  Comparator room[kMostComparators];
  const auto network = ListSortingNetwork(codes, room);
  HWY_ALIGN Count left[kMostSorted * kCounts];
  HWY_ALIGN Count right[kMostSorted * kCounts];
  for (std::size_t c = 0; c < width; c += kCounts) {
    for (std::size_t i = 0; i < codes; ++i) {
      const V32 counts = hn::LoadU(d, left_counts + i * width + c);
      hn::Store(counts, d, left + i * kCounts);
      hn::Store(hn::Sub(hn::Set(d, feature.node[i]), counts), d, right + i * kCounts);
    }
    for (const auto [low, high] : network) {
      for (Count* side : {left, right}) {
        V32 least = hn::Load(d, side + low * kCounts);
        V32 most = hn::Load(d, side + high * kCounts);
        Exchange(least, most);
        hn::Store(least, d, side + low * kCounts);
        hn::Store(most, d, side + high * kCounts);
      }
    }
    for (std::size_t i = 0; i < codes * kCounts; i += kCounts) {
      hn::Store(hn::Add(hn::Load(d, left + i), hn::Load(d, right + i)), d, left + i);
    }
    AddTerms(left, feature.constant, scores + c, [&](const Count* at) HWY_ATTR { return SumRanks(feature, at); });
  }
}

// left_counts: [codes][width]. REQUIRES: at most kMostSorted codes.
void AddTermsOf(const AlignedFeature& feature, const Count* left_counts, std::size_t width, double* scores) {
  switch (feature.node.size()) {
    case 0:
    case 1:
      return AddOneCode(feature, width, scores);
    case 2:
      return AddTwoCodes(feature, left_counts, left_counts + width, width, scores);
    case 3:
      return AddFewCodes<3>(feature, left_counts, width, scores);
    case 4:
      return AddFewCodes<4>(feature, left_counts, width, scores);
    case 5:
      return AddFewCodes<5>(feature, left_counts, width, scores);
    case 6:
      return AddFewCodes<6>(feature, left_counts, width, scores);
// Networks with a sanitizer's checks in them take minutes to compile; in memory they are the same.
#if !DTF_IS_SANITIZED
    case 7:
      return AddFewCodes<7>(feature, left_counts, width, scores);
    case 8:
      return AddFewCodes<8>(feature, left_counts, width, scores);
    case 9:
      return AddFewCodes<9>(feature, left_counts, width, scores);
    case 10:
      return AddFewCodes<10>(feature, left_counts, width, scores);
    case 11:
      return AddFewCodes<11>(feature, left_counts, width, scores);
    case 12:
      return AddFewCodes<12>(feature, left_counts, width, scores);
    case 13:
      return AddFewCodes<13>(feature, left_counts, width, scores);
    case 14:
      return AddFewCodes<14>(feature, left_counts, width, scores);
    case 15:
      return AddFewCodes<15>(feature, left_counts, width, scores);
    case 16:
      return AddFewCodes<16>(feature, left_counts, width, scores);
    case 17:
    case 18:
    case 19:
    case 20:
      return AddFewCodes<20, 3>(feature, left_counts, width, scores);
    case 21:
    case 22:
    case 23:
    case 24:
      return AddFewCodes<24, 3>(feature, left_counts, width, scores);
    case 25:
    case 26:
    case 27:
    case 28:
      return AddFewCodes<28, 3>(feature, left_counts, width, scores);
    case 29:
    case 30:
    case 31:
    case 32:
      return AddFewCodes<32, 3>(feature, left_counts, width, scores);
#endif
    default:
      return AddSomeCodes(feature, left_counts, width, scores);
  }
}

#undef DTF_TABLE_IN_REGISTERS
}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dtf {

HWY_EXPORT(AddTermsOf);

void AddAlignedTerms(const BlockCounts& counts, Feature j, const AlignedFeature& feature, std::span<double> scores) {
  if (feature.node.size() > kMostSorted) {
    AddWideAlignedTerms(counts, j, feature, scores);
  } else {
    HWY_DYNAMIC_DISPATCH(AddTermsOf)(feature, counts.Row(j, 0), counts.width(), scores.data());
  }
}

}  // namespace dtf
#endif  // HWY_ONCE
