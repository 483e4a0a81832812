#include "count/pack_pieces.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <utility>

namespace dtf {
namespace {

// Up to so many single leaves are packed as ends, with tests whose outcomes do not matter: a group of sixteen leaves'
// slots would not pay.
constexpr std::size_t kFewLeaves = 4;

constexpr std::size_t RoundUp(std::size_t number, std::size_t unit) { return (number + unit - 1) / unit * unit; }

// What of a subtree belongs to the piece of its parent.
struct Part {
  std::uint32_t ends = 1;   // single leaves and exits included
  std::uint8_t height = 0;  // kEndHeight + 1: more than that
  bool is_cut = false;      // it begins a piece
};
constexpr Part kLeafPart;

class Packer {
 public:
  // Up to kTermsAtATime terms: a table of all their sums.
  void Add(std::span<const LogitTerm> terms) {
    std::array<std::uint32_t, kTermSlots> sums{};
    std::array<std::uint32_t, kTermsAtATime> tests;
    tests.fill(terms[0].test);
    std::uint32_t most = 0;
    for (std::size_t b = 0; b < terms.size(); ++b) {
      const auto [test, value] = terms[b];
      const auto size = static_cast<std::uint32_t>(std::abs(value));
      tests[b] = test;
      most += size;
      if (value < 0) out_.low -= size;
      for (std::size_t slot = 0; slot < kTermSlots; ++slot) {
        if ((slot >> b) % 2 == (value < 0 ? 0u : 1u)) sums[slot] += size;
      }
    }
    AddParts(most, [&] {
      out_.tests.insert(out_.tests.end(), tests.begin(), tests.end());
      for (const std::uint32_t sum : sums) AddValue(sum);
      AddPiece({.starts_tree = true});
    });
  }

  void Add(const LogitTree& tree) {
    const auto [low, high] = std::ranges::minmax(tree.leaves);
    tree_ = &tree;
    low_ = static_cast<std::uint32_t>(low);
    out_.low += low_;
    if (low == high) return;
    CutTree();
    AddParts(static_cast<std::uint32_t>(high) - low_, [&] {
      roots_.assign(1, 0);
      for (std::size_t i = 0; i < roots_.size(); ++i) PackPiece(roots_[i], i == 0);
      out_.most_pieces = std::max(out_.most_pieces, roots_.size());
    });
  }

  TreePieces Finish() {
    out_.values.resize(out_.values.size() + kTableSlots);
    out_.groups.shrink_to_fit();
    out_.pieces.shrink_to_fit();
    out_.tests.shrink_to_fit();
    out_.sets.shrink_to_fit();
    out_.values.shrink_to_fit();
    return std::move(out_);
  }

 private:
  // A node or leaf, and the set of the rows that reach it.
  struct Reached {
    std::uint8_t set;
    std::int32_t at;
  };

  // Values are added in 16 bits; larger ones in two parts.
  template <typename F>
  void AddParts(std::uint32_t most, const F& add) {
    shift_ = 0;
    MakeRoom(std::min(most, kMostGroupSum));
    add();
    if (most <= kMostGroupSum) return;
    shift_ = 16;
    MakeRoom(most >> 16);
    add();
  }

  // Starts another group when this one cannot take values of up to `most`.
  void MakeRoom(std::uint32_t most) {
    if (out_.groups.empty() || out_.groups.back().shift != shift_ || room_ < most) {
      out_.groups.push_back({.shift = shift_});
      room_ = kMostGroupSum;
    }
    room_ -= most;
  }

  const Part& PartOf(std::int32_t child) const { return child < 0 ? kLeafPart : parts_[child]; }

  // Decides where pieces begin, from the leaves up: at the larger child of a node with too many ends, if need be at
  // both.
  void CutTree() {
    parts_.resize(tree_->nodes.size());
    for (std::size_t i = parts_.size(); i-- > 0;) {
      auto [test, larger, smaller] = tree_->nodes[i];
      if (PartOf(larger).ends < PartOf(smaller).ends) std::swap(larger, smaller);
      const Part& a = PartOf(larger);
      const Part& b = PartOf(smaller);
      Part part;
      part.height = static_cast<std::uint8_t>(1 + std::min(kEndHeight, int{std::max(a.height, b.height)}));
      if (part.height > kEndHeight) part.ends = a.ends + b.ends;
      for (const std::int32_t child : {larger, smaller}) {
        if (part.ends <= kMostEnds) break;
        part.ends -= parts_[child].ends - 1;
        parts_[child].is_cut = true;
      }
      parts_[i] = part;
    }
  }

  void PackPiece(std::int32_t root, bool starts_tree) {
    SplitFrom(root);
    MoveFewLeaves();
    PackEnds();
    PackLeaves();
    for (const Reached& exit : exits_) roots_.push_back(exit.at);
    for (const auto* reached : {&nodes_, &ends_, &leaves_, &exits_}) {
      for (const Reached& one : *reached) out_.sets.push_back(one.set);
    }
    AddPiece({.nodes = static_cast<std::uint8_t>(nodes_.size()),
              .ends = static_cast<std::uint8_t>(ends_.size()),
              .leaves = static_cast<std::uint8_t>(leaves_.size()),
              .exits = static_cast<std::uint8_t>(exits_.size()),
              .starts_tree = starts_tree});
  }

  // Breadth first, and not by recursion: a tree may be of any depth.
  void SplitFrom(std::int32_t root) {
    for (auto* reached : {&nodes_, &ends_, &leaves_, &exits_}) reached->clear();
    (PartOf(root).height > kEndHeight ? nodes_ : ends_).push_back({0, root});
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const auto [test, pass, fail] = tree_->nodes[nodes_[i].at];
      Reach({static_cast<std::uint8_t>(2 * i + 1), pass});
      Reach({static_cast<std::uint8_t>(2 * i + 2), fail});
      out_.tests.push_back(test);
    }
  }

  void Reach(const Reached& one) {
    const Part& part = PartOf(one.at);
    (part.is_cut ? exits_ : one.at < 0 ? leaves_ : part.height <= kEndHeight ? ends_ : nodes_).push_back(one);
  }

  // Single leaves fill the last ends up.
  void MoveFewLeaves() {
    std::size_t moved = std::min(leaves_.size(), RoundUp(ends_.size(), kEndsAtATime) - ends_.size());
    const std::size_t rest = (leaves_.size() - moved) % kLeavesAtATime;
    if (rest <= kFewLeaves) moved += rest;
    const auto first = leaves_.end() - static_cast<std::ptrdiff_t>(moved);
    ends_.insert(ends_.end(), first, leaves_.end());
    leaves_.erase(first, leaves_.end());
  }

  void PackEnds() {
    for (const Reached& end : ends_) PackEnd(end.at);
    const std::size_t padding = RoundUp(ends_.size(), kEndsAtATime) - ends_.size();
    out_.tests.resize(out_.tests.size() + 3 * padding, tree_->nodes[0].test);
    ends_.resize(ends_.size() + padding, {kEmptySet, 0});
    values_.resize(kEndSlots * ends_.size());
  }

  void PackLeaves() {
    for (const Reached& leaf : leaves_) AddLeaf(leaf.at);
    leaves_.resize(RoundUp(leaves_.size(), kLeavesAtATime), {kEmptySet, 0});
    values_.resize(kEndSlots * ends_.size() + leaves_.size());
  }

  void PackEnd(std::int32_t end) {
    const auto next = [&](std::int32_t at, bool passes) {
      return at < 0 ? at : passes ? tree_->nodes[at].pass : tree_->nodes[at].fail;
    };
    const std::int32_t pass = next(end, true);
    const std::int32_t fail = next(end, false);
    const auto test = [&](std::int32_t at) { return tree_->nodes[std::max(at, 0)].test; };  // of a leaf any will do
    out_.tests.insert(out_.tests.end(), {test(end), test(pass), test(fail)});
    for (const std::int32_t at : {fail, pass}) {
      AddLeaf(next(at, false));
      AddLeaf(next(at, true));
    }
  }

  void AddLeaf(std::int32_t leaf) { AddValue(static_cast<std::uint32_t>(tree_->leaves[-1 - leaf]) - low_); }
  void AddValue(std::uint32_t value) { values_.push_back(static_cast<std::uint16_t>(value >> shift_)); }

  // With the values added meanwhile.
  void AddPiece(const TreePieces::Piece& piece) {
    out_.pieces.push_back(piece);
    ++out_.groups.back().pieces;
    out_.values.resize(out_.values.size() + 2 * values_.size());
    std::uint8_t* to = out_.values.data() + out_.values.size() - 2 * values_.size();
    for (std::size_t first = 0; first < values_.size(); first += kTableSlots) {
      const std::size_t size = std::min(kTableSlots, values_.size() - first);
      for (std::size_t i = 0; i < size; ++i) {
        to[i] = static_cast<std::uint8_t>(values_[first + i] & 0xFF);
        to[size + i] = static_cast<std::uint8_t>(values_[first + i] >> 8);
      }
      to += 2 * size;
    }
    values_.clear();
  }

  TreePieces out_;
  int shift_ = 0;
  std::uint32_t room_ = 0;  // of the last group
  // The tree in work:
  const LogitTree* tree_ = nullptr;
  std::uint32_t low_ = 0;
  std::vector<Part> parts_;          // by node
  std::vector<std::int32_t> roots_;  // of its pieces
  // Of the piece in work:
  std::vector<std::uint16_t> values_;
  std::vector<Reached> nodes_;
  std::vector<Reached> ends_;
  std::vector<Reached> leaves_;
  std::vector<Reached> exits_;
};

}  // namespace

TreePieces PackPieces(std::span<const LogitTerm> terms, std::span<const LogitTree> trees) {
  Packer packer;
  for (std::size_t i = 0; i < terms.size(); i += kTermsAtATime) {
    packer.Add(terms.subspan(i, std::min(kTermsAtATime, terms.size() - i)));
  }
  for (const LogitTree& tree : trees) packer.Add(tree);
  return packer.Finish();
}

}  // namespace dtf
