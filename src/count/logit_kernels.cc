#include "count/logit_kernels.h"

#include <algorithm>
#include <bit>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "count/logit_kernels.cc"
#include "count/highway_targets.h"
// After the targets:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::CappedTag<std::int32_t, 16>;
using D64 = hn::CappedTag<std::uint64_t, 8>;
using V64 = hn::Vec<D64>;

// Rows are handled in chunks of so many words, so that a chunk's logits stay in the first-level cache.
constexpr std::size_t kChunkWords = 8;
constexpr std::size_t kLanes64 = hn::MaxLanes(D64());
struct alignas(64) Chunk {
  std::uint64_t words[kChunkWords];
};

// Of rows this few in a word, each is handled on its own.
constexpr int kFewRows = 6;

// Which rows reach a tree's leaves, chunk by chunk.
class Walk {
 public:
  Walk(const LogitTree& tree, PlaneMatrix tests, const std::uint64_t* mask)
      : tree_(tree), tests_(tests), mask_(mask), reached_(tree.nodes.size() + tree.leaves.size()) {}

  // Finds the rows of words [first, first + count) that reach each leaf; the other words of a chunk are 0.
  void Find(std::size_t first, std::size_t count) {
    Chunk& root = reached_[0];
    for (std::size_t w = 0; w < kChunkWords; ++w) {
      root.words[w] = w >= count ? 0 : mask_ == nullptr ? ~std::uint64_t{0} : mask_[first + w];
    }
    if (count == kChunkWords) {
      for (std::size_t i = 0; i < tree_.nodes.size(); ++i) HandDown(i, tests_[tree_.nodes[i].test] + first);
    } else {
      for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
        Chunk plane{};
        std::copy_n(tests_[tree_.nodes[i].test] + first, count, plane.words);
        HandDown(i, plane.words);
      }
    }
  }

  const Chunk& Leaf(std::size_t leaf) const { return reached_[tree_.nodes.size() + leaf]; }

 private:
  Chunk& Child(std::int32_t child) {
    return reached_[child >= 0 ? static_cast<std::size_t>(child)
                               : tree_.nodes.size() + static_cast<std::size_t>(-1 - child)];
  }

  HWY_INLINE void HandDown(std::size_t i, const std::uint64_t* plane) {
    const D64 d;
    const LogitTree::Node& node = tree_.nodes[i];
    const Chunk& here = reached_[i];
    Chunk& pass = Child(node.pass);
    Chunk& fail = Child(node.fail);
    for (std::size_t w = 0; w < kChunkWords; w += kLanes64) {
      const V64 rows = hn::Load(d, here.words + w);
      const V64 passing = hn::LoadU(d, plane + w);
      hn::Store(hn::And(rows, passing), d, pass.words + w);
      hn::Store(hn::AndNot(passing, rows), d, fail.words + w);
    }
  }

  const LogitTree& tree_;
  PlaneMatrix tests_;
  const std::uint64_t* mask_;
  std::vector<Chunk> reached_;  // nodes, then leaves
};

// Which of a chunk's words are not 0, as bits.
HWY_INLINE unsigned NonZeroWords(const Chunk& chunk) {
  const D64 d;
  unsigned bits = 0;
  for (std::size_t w = 0; w < kChunkWords; w += kLanes64) {
    std::uint8_t mask[8] = {};
    hn::StoreMaskBits(d, hn::Ne(hn::Load(d, chunk.words + w), hn::Zero(d)), mask);
    bits |= static_cast<unsigned>(mask[0]) << w;
  }
  return bits;
}

// The lanes of D32 whose bits are set in the lowest bits of `bits`.
HWY_INLINE hn::Mask<D32> MaskOf(std::uint64_t bits) {
  const D32 d;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const std::uint16_t few = static_cast<std::uint16_t>(bits);
  return hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&few));
#else
  const auto lane_bit = hn::Shl(hn::Set(d, 1), hn::Iota(d, 0));
  return hn::TestBit(hn::Set(d, static_cast<std::int32_t>(bits)), lane_bit);
#endif
}

// logits[i] += value for each bit i of `rows`.
HWY_INLINE void AddUnder(std::uint64_t rows, Logit value, Logit* HWY_RESTRICT logits) {
  if (std::popcount(rows) <= kFewRows) {
    for (; rows != 0; rows &= rows - 1) logits[std::countr_zero(rows)] += value;
    return;
  }
  const D32 d;
  const auto values = hn::Set(d, value);
  for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
    const auto old = hn::LoadU(d, logits + i);
    hn::StoreU(hn::Add(old, hn::IfThenElseZero(MaskOf(rows >> i), values)), d, logits + i);
  }
}

void AddTree(const LogitTree& tree, PlaneMatrix tests, const std::uint64_t* mask, Logit* logits) {
  Walk walk(tree, tests, mask);
  for (std::size_t first = 0; first < tests.words; first += kChunkWords) {
    walk.Find(first, std::min(kChunkWords, tests.words - first));
    for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
      const Chunk& rows = walk.Leaf(leaf);
      for (unsigned left = NonZeroWords(rows); left != 0; left &= left - 1) {
        const auto w = static_cast<std::size_t>(std::countr_zero(left));
        AddUnder(rows.words[w], tree.leaves[leaf], logits + 64 * (first + w));
      }
    }
  }
}

void AddTerms(const LogitTerm* terms, std::size_t size, PlaneMatrix tests, const std::uint64_t* mask, Logit* logits) {
  const D32 d;
  for (std::size_t w = 0; w < tests.words; ++w) {
    const std::uint64_t kept = mask == nullptr ? ~std::uint64_t{0} : mask[w];
    if (kept == 0) continue;
    Logit sums[64] = {};
    for (std::size_t t = 0; t < size; ++t) {
      const std::uint64_t rows = tests[terms[t].test][w] & kept;
      const auto values = hn::Set(d, terms[t].value);
      for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
        const auto sum = hn::LoadU(d, sums + i);
        hn::StoreU(hn::Add(sum, hn::IfThenElseZero(MaskOf(rows >> i), values)), d, sums + i);
      }
    }
    for (std::size_t i = 0; i < 64; ++i) logits[64 * w + i] += sums[i];
  }
}

// sum += values[i] over the bits i of `rows`.
HWY_INLINE void SumUnder(std::uint64_t rows, const std::int32_t* HWY_RESTRICT values, hn::Vec<D32>& sum) {
  const D32 d;
  for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
    sum = hn::Add(sum, hn::IfThenElseZero(MaskOf(rows >> i), hn::LoadU(d, values + i)));
  }
}

void SumLeaves(const LogitTree& tree, PlaneMatrix tests, const std::uint64_t* mask, const std::int32_t* gradients,
               const std::int32_t* hessians, LeafSums* out) {
  const D32 d;
  Walk walk(tree, tests, mask);
  for (std::size_t first = 0; first < tests.words; first += kChunkWords) {
    walk.Find(first, std::min(kChunkWords, tests.words - first));
    for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
      const Chunk& rows = walk.Leaf(leaf);
      // A chunk has 2^9 rows: the sums of 2^21 each stay below 2^31.
      auto gradient = hn::Zero(d);
      auto hessian = hn::Zero(d);
      bool many = false;
      for (unsigned left = NonZeroWords(rows); left != 0; left &= left - 1) {
        const auto w = static_cast<std::size_t>(std::countr_zero(left));
        const std::size_t row = 64 * (first + w);
        std::uint64_t word = rows.words[w];
        if (std::popcount(word) <= kFewRows) {
          for (; word != 0; word &= word - 1) {
            out[leaf].gradient += gradients[row + static_cast<std::size_t>(std::countr_zero(word))];
            out[leaf].hessian += hessians[row + static_cast<std::size_t>(std::countr_zero(word))];
          }
          continue;
        }
        many = true;
        SumUnder(word, gradients + row, gradient);
        SumUnder(word, hessians + row, hessian);
      }
      if (!many) continue;
      out[leaf].gradient += hn::GetLane(hn::SumOfLanes(d, gradient));
      out[leaf].hessian += hn::GetLane(hn::SumOfLanes(d, hessian));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dtf {

HWY_EXPORT(AddTree);
HWY_EXPORT(AddTerms);
HWY_EXPORT(SumLeaves);

void AddTree(const LogitTree& tree, PlaneMatrix tests, const std::uint64_t* mask, std::span<Logit> logits) {
  HWY_DYNAMIC_DISPATCH(AddTree)(tree, tests, mask, logits.data());
}

void AddTerms(std::span<const LogitTerm> terms, PlaneMatrix tests, const std::uint64_t* mask, std::span<Logit> logits) {
  HWY_DYNAMIC_DISPATCH(AddTerms)(terms.data(), terms.size(), tests, mask, logits.data());
}

void SumLeaves(const LogitTree& tree, PlaneMatrix tests, const std::uint64_t* mask,
               std::span<const std::int32_t> gradients, std::span<const std::int32_t> hessians,
               std::span<LeafSums> out) {
  std::fill(out.begin(), out.end(), LeafSums());
  HWY_DYNAMIC_DISPATCH(SumLeaves)(tree, tests, mask, gradients.data(), hessians.data(), out.data());
}

}  // namespace dtf
#endif  // HWY_ONCE
