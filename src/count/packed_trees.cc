#include "count/packed_trees.h"

#include <algorithm>
#include <bit>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "count/packed_trees.cc"
#include "count/highway_targets.h"
// After the targets:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "count/bits_to_numbers-inl.h"

// Once, not once a target:
#ifndef DTF_COUNT_PACKED_TREES_ONCE
#define DTF_COUNT_PACKED_TREES_ONCE
namespace dtf {
namespace {

constexpr std::uint32_t kLeaf = 0x80000000u;
constexpr std::uint32_t kSkip = 0x80000001u;
// Subtrees of so many nodes are passed over when no row reaches them.
constexpr std::uint32_t kLargeSubtree = 8;
constexpr int kBits = 32;
// The smaller subtree comes first: each that waits has at least as many leaves as all that come before it.
constexpr std::size_t kMostWaiting = 33;

}  // namespace
}  // namespace dtf
#endif

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<std::uint64_t, kPackedWords>;
using V = hn::Vec<D>;

// values[b] = the rows whose value of the tree has bit b. Returns the position after the tree.
HWY_INLINE const std::uint32_t* SplitRows(const std::uint32_t* code, PlaneMatrix tests, std::size_t word, V here,
                                          V* HWY_RESTRICT values) {
  const D d;
  HWY_ALIGN std::uint64_t waiting[kMostWaiting * kPackedWords];
  std::size_t top = 0;
  for (;;) {
    const std::uint32_t at = *code++;
    if (at < kLeaf) {
      const V flip = hn::Set(d, 0 - std::uint64_t{at & 1});
      const V passes = hn::Xor(hn::LoadU(d, tests[at / 2] + word), flip);
      hn::Store(hn::AndNot(passes, here), d, waiting + kPackedWords * top++);
      here = hn::And(here, passes);
      continue;
    }
    if (at == kLeaf) {
      for (std::uint32_t value = *code++; value != 0; value &= value - 1) {
        V& bit = values[std::countr_zero(value)];
        bit = hn::Or(bit, here);
      }
    } else {
      const std::uint32_t length = *code++;
      if (!hn::AllTrue(d, hn::Eq(here, hn::Zero(d)))) continue;
      code += length;
    }
    if (top == 0) return code;
    here = hn::Load(d, waiting + kPackedWords * --top);
  }
}

void SumPackedTrees(const PackedTrees::View& trees, PlaneMatrix tests, const std::uint64_t* HWY_RESTRICT mask,
                    Logit* HWY_RESTRICT logits) {
  const D d;
  V sums[kBits];
  V values[kBits];
  for (std::size_t word = 0; word < tests.words; word += hn::Lanes(d)) {
    const V rows = hn::LoadU(d, mask + word);
    if (hn::AllTrue(d, hn::Eq(rows, hn::Zero(d)))) continue;
    for (int b = 0; b < trees.bits; ++b) sums[b] = hn::Zero(d);
    for (const std::uint32_t* code = trees.code; code != trees.end;) {
      const int bits = static_cast<int>(*code++);
      for (int b = 0; b < bits; ++b) values[b] = hn::Zero(d);
      code = SplitRows(code, tests, word, rows, values);
      V carry = hn::Zero(d);
      for (int b = 0; b < bits; ++b) {
        const V one = hn::Xor(sums[b], values[b]);
        const V both = hn::And(sums[b], values[b]);
        sums[b] = hn::Xor(one, carry);
        carry = hn::Or(both, hn::And(one, carry));
      }
      for (int b = bits; b < trees.bits; ++b) {
        const V sum = sums[b];
        sums[b] = hn::Xor(sum, carry);
        carry = hn::And(sum, carry);
      }
    }
    HWY_ALIGN std::uint64_t planes[kBits * kPackedWords];
    for (int b = 0; b < trees.bits; ++b) hn::Store(sums[b], d, planes + kPackedWords * b);
    BitsToNumbers(planes, kPackedWords, static_cast<std::size_t>(trees.bits), trees.bias, hn::Lanes(d),
                  logits + 64 * word);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dtf {

HWY_EXPORT(SumPackedTrees);

// Writes trees node by node, the smaller subtree of each first.
class PackedTrees::Packer {
 public:
  explicit Packer(PackedTrees& out) : out_(out) {}

  void Add(const LogitTree& tree) {
    const auto [low, high] = std::ranges::minmax(tree.leaves);
    out_.bias_ += static_cast<std::uint32_t>(low);
    const std::uint32_t range = static_cast<std::uint32_t>(high) - static_cast<std::uint32_t>(low);
    if (range == 0) return;
    sum_of_ranges_ += range;
    CountLeaves(tree);
    out_.code_.push_back(static_cast<std::uint32_t>(std::bit_width(range)));
    // Not by recursion: a tree may be of any depth.
    std::vector<std::int32_t> open = {0};
    while (!open.empty()) {
      const std::int32_t at = open.back();
      open.pop_back();
      if (at < 0) {
        const auto value = static_cast<std::uint32_t>(tree.leaves[-1 - at]) - static_cast<std::uint32_t>(low);
        out_.code_.insert(out_.code_.end(), {kLeaf, value});
        continue;
      }
      const LogitTree::Node& node = tree.nodes[at];
      if (leaves_[at] >= kLargeSubtree) out_.code_.insert(out_.code_.end(), {kSkip, Length(at)});
      const bool fail_first = Leaves(node.fail) < Leaves(node.pass);
      out_.code_.push_back(2 * node.test + (fail_first ? 1 : 0));
      open.push_back(fail_first ? node.pass : node.fail);
      open.push_back(fail_first ? node.fail : node.pass);
    }
  }

  void Add(const LogitTerm& term) { Add({.nodes = {{term.test, -1, -2}}, .leaves = {term.value, 0}}); }

  void Finish() { out_.bits_ = static_cast<int>(std::bit_width(sum_of_ranges_)); }

 private:
  void CountLeaves(const LogitTree& tree) {
    leaves_.assign(tree.nodes.size(), 0);
    large_.assign(tree.nodes.size(), 0);
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
      for (const std::int32_t child : {tree.nodes[i].pass, tree.nodes[i].fail}) {
        leaves_[i] += Leaves(child);
        large_[i] += child < 0 ? 0 : large_[child];
      }
      large_[i] += leaves_[i] >= kLargeSubtree ? 1 : 0;
    }
  }
  std::uint32_t Leaves(std::int32_t child) const { return child < 0 ? 1 : leaves_[child]; }

  // Of the code of a large subtree, after the mark before it: a number for each node, two for each leaf and mark.
  std::uint32_t Length(std::int32_t node) const {
    return (leaves_[node] - 1) + 2 * leaves_[node] + 2 * (large_[node] - 1);
  }

  PackedTrees& out_;
  std::uint64_t sum_of_ranges_ = 0;
  std::vector<std::uint32_t> leaves_;  // below each node
  std::vector<std::uint32_t> large_;   // large subtrees below each node, itself included
};

PackedTrees::PackedTrees(Logit bias, std::span<const LogitTerm> terms, std::span<const LogitTree> trees)
    : bias_(static_cast<std::uint32_t>(bias)) {
  Packer packer(*this);
  for (const LogitTerm& term : terms) packer.Add(term);
  for (const LogitTree& tree : trees) packer.Add(tree);
  packer.Finish();
  code_.shrink_to_fit();
}

void PackedTrees::Sum(PlaneMatrix tests, const std::uint64_t* mask, std::span<Logit> logits) const {
  const View view{code_.data(), code_.data() + code_.size(), static_cast<Logit>(bias_), bits_};
  HWY_DYNAMIC_DISPATCH(SumPackedTrees)(view, tests, mask, logits.data());
}

}  // namespace dtf
#endif  // HWY_ONCE
