#include "count/logit_kernels.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "count/logit_kernels.cc"
#include "count/highway_targets.h"
// After the targets:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "count/bits_to_numbers-inl.h"
#include "count/logistic.h"

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D32 = NumberTag;
using D64 = hn::CappedTag<std::uint64_t, 8>;
using V64 = hn::Vec<D64>;

// Rows are handled in chunks of so many words, whose planes stay in the first-level cache.
constexpr std::size_t kChunkWords = 8;
constexpr std::size_t kLanes64 = hn::MaxLanes(D64());
struct alignas(64) Chunk {
  std::uint64_t words[kChunkWords];
};

// Which rows reach a tree's leaves, chunk by chunk.
class Walk {
 public:
  Walk(const LogitTree& tree, PlaneMatrix tests)
      : tree_(tree), tests_(tests), reached_(tree.nodes.size() + tree.leaves.size()) {
    std::fill_n(reached_[0].words, kChunkWords, ~std::uint64_t{0});
  }

  // Handles the rows of words [first, first + count); results for the chunk's other rows are garbage.
  void Find(std::size_t first, std::size_t count) {
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

  // Numbers the rows of `count` words by their leaves: bit b of the numbers is the union of the leaves that have it.
  void Number(std::size_t count, std::int32_t* HWY_RESTRICT leaf_of_row) const {
    const D64 d;
    const std::size_t leaves = tree_.leaves.size();
    const Chunk* leaf = reached_.data() + tree_.nodes.size();
    const auto bits = static_cast<std::size_t>(std::bit_width(leaves - 1));
    HWY_ALIGN std::uint64_t planes[32 * kChunkWords];
    for (std::size_t b = 0; b < bits; ++b) {
      const std::size_t bit = std::size_t{1} << b;
      for (std::size_t w = 0; w < kChunkWords; w += kLanes64) {
        V64 rows = hn::Zero(d);
        for (std::size_t l = bit; l < leaves; l = (l + 1) | bit) rows = hn::Or(rows, hn::Load(d, leaf[l].words + w));
        hn::Store(rows, d, planes + kChunkWords * b + w);
      }
    }
    BitsToNumbers(planes, kChunkWords, bits, 0, count, leaf_of_row);
  }

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
  std::vector<Chunk> reached_;  // nodes, then leaves
};

void FindLeaves(const LogitTree& tree, PlaneMatrix tests, std::int32_t* leaf_of_row) {
  Walk walk(tree, tests);
  for (std::size_t first = 0; first < tests.words; first += kChunkWords) {
    const std::size_t count = std::min(kChunkWords, tests.words - first);
    walk.Find(first, count);
    walk.Number(count, leaf_of_row + 64 * first);
  }
}

// logits[i] += value_of(the leaves of the rows from i on).
template <typename F>
HWY_INLINE void AddEach(const std::int32_t* HWY_RESTRICT leaf_of_row, std::size_t rows, Logit* HWY_RESTRICT logits,
                        const F& value_of) {
  const D32 d;
  for (std::size_t i = 0; i < rows; i += hn::Lanes(d)) {
    const auto values = value_of(hn::LoadU(d, leaf_of_row + i));
    hn::StoreU(hn::Add(hn::LoadU(d, logits + i), values), d, logits + i);
  }
}

void AddLeaves(const Logit* HWY_RESTRICT leaves, std::size_t size, const std::int32_t* HWY_RESTRICT leaf_of_row,
               std::size_t rows, Logit* HWY_RESTRICT logits) {
  using V32 = hn::Vec<D32>;
  const D32 d;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  // Few leaves lie in two registers: a look-up there takes a fraction of the time of one in memory.
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  if (size <= 2 * kLanes) {
    HWY_ALIGN Logit table[2 * kLanes] = {};
    std::copy_n(leaves, size, table);
    const V32 low = hn::Load(d, table);
    const V32 high = hn::Load(d, table + kLanes);
    const V32 lanes = hn::Set(d, kLanes);
    return AddEach(leaf_of_row, rows, logits, [&](V32 leaf) HWY_ATTR {
      const auto in_lane = hn::IndicesFromVec(d, hn::And(leaf, hn::Set(d, kLanes - 1)));
      return hn::IfThenElse(hn::Lt(leaf, lanes), hn::TableLookupLanes(low, in_lane),
                            hn::TableLookupLanes(high, in_lane));
    });
  }
#else
  (void)size;
#endif
  AddEach(leaf_of_row, rows, logits, [&](V32 leaf) HWY_ATTR { return hn::GatherIndex(d, leaves, leaf); });
}

void AddTerms(const LogitTerm* terms, std::size_t size, PlaneMatrix tests, Logit* logits) {
  const D32 d;
  for (std::size_t w = 0; w < tests.words; ++w) {
    Logit sums[64] = {};
    for (std::size_t t = 0; t < size; ++t) {
      const std::uint64_t rows = tests[terms[t].test][w];
      const auto values = hn::Set(d, terms[t].value);
      for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
        const auto sum = hn::LoadU(d, sums + i);
        hn::StoreU(hn::Add(sum, hn::IfThenElseZero(MaskOf(rows >> i), values)), d, sums + i);
      }
    }
    for (std::size_t i = 0; i < 64; ++i) logits[64 * w + i] += sums[i];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dtf {

HWY_EXPORT(FindLeaves);
HWY_EXPORT(AddLeaves);
HWY_EXPORT(AddTerms);

void FindLeaves(const LogitTree& tree, PlaneMatrix tests, std::span<std::int32_t> leaf_of_row) {
  HWY_DYNAMIC_DISPATCH(FindLeaves)(tree, tests, leaf_of_row.data());
}

void AddLeaves(std::span<const Logit> leaves, std::span<const std::int32_t> leaf_of_row, std::span<Logit> logits) {
  HWY_DYNAMIC_DISPATCH(AddLeaves)
  (leaves.data(), leaves.size(), leaf_of_row.data(), leaf_of_row.size(), logits.data());
}

void SumLeaves(std::span<const std::int32_t> leaf_of_row, std::span<const std::int32_t> gradients,
               std::span<const std::int32_t> hessians, std::span<LeafSums> out) {
  // Rows next to each other often share a leaf, and an addition would wait for the one before: so eight lists of sums.
  // Both numbers of a row are added at once, the gradient 2^kHessianBits-fold, until a list might overflow.
  constexpr std::size_t kLists = 8;
  constexpr std::size_t kRowsOfList = 512;
  constexpr int kHessianBits = kDerivativeBits + 10;
  static_assert(kRowsOfList << kDerivativeBits < std::size_t{1} << kHessianBits);
  std::vector<std::int64_t> lists(kLists * out.size());
  std::fill(out.begin(), out.end(), LeafSums());
  for (std::size_t first = 0; first < leaf_of_row.size(); first += kLists * kRowsOfList) {
    const std::size_t last = std::min(leaf_of_row.size(), first + kLists * kRowsOfList);
    for (std::size_t i = first; i < last; ++i) {
      const std::int64_t both = (std::int64_t{gradients[i]} << kHessianBits) + hessians[i];
      lists[kLists * static_cast<std::size_t>(leaf_of_row[i]) + i % kLists] += both;
    }
    for (std::size_t l = 0; l < lists.size(); ++l) {
      const std::int64_t both = std::exchange(lists[l], 0);
      out[l / kLists].gradient += both >> kHessianBits;
      out[l / kLists].hessian += both & ((std::int64_t{1} << kHessianBits) - 1);
    }
  }
}

void AddTree(const LogitTree& tree, PlaneMatrix tests, std::span<Logit> logits) {
  std::vector<std::int32_t> leaf_of_row(logits.size());
  FindLeaves(tree, tests, leaf_of_row);
  AddLeaves(tree.leaves, leaf_of_row, logits);
}

void AddTerms(std::span<const LogitTerm> terms, PlaneMatrix tests, std::span<Logit> logits) {
  HWY_DYNAMIC_DISPATCH(AddTerms)(terms.data(), terms.size(), tests, logits.data());
}

}  // namespace dtf
#endif  // HWY_ONCE
