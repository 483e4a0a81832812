#include "learn/hidden_tree/subtree_patterns.h"

#include <algorithm>
#include <bit>

namespace dtf {
namespace {

// Numbers pairs as they occur first: an open hash table, whose slots are free unless they are of this round.
class PairNumbers {
 public:
  explicit PairNumbers(std::size_t rows)
      : slots_(std::bit_ceil(2 * rows)), shift_(64 - std::countr_zero(slots_.size())) {}

  // Each row's id becomes the number of the pair of it and `other`. Returns how many there are.
  std::size_t Join(std::span<PatternId> ids, std::span<const Code> other) {
    ++round_;
    std::size_t count = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::uint64_t pair = std::uint64_t{ids[i]} << 32 | other[i];
      Slot& slot = Find(pair);
      if (slot.round != round_) slot = {pair, round_, static_cast<PatternId>(count++)};
      ids[i] = slot.number;
    }
    return count;
  }

 private:
  struct Slot {
    std::uint64_t pair = 0;
    std::uint32_t round = 0;
    PatternId number = 0;
  };

  // The pair's, or the one where it belongs.
  Slot& Find(std::uint64_t pair) {
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15u;
    std::size_t at = (pair ^ pair >> 29) * kFactor >> shift_;
    while (slots_[at].round == round_ && slots_[at].pair != pair) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }

  std::vector<Slot> slots_;
  int shift_;
  std::uint32_t round_ = 0;
};

class PatternFinder {
 public:
  PatternFinder(const ColumnTree& tree, const CodeTable& codes, std::span<const RowPart> parts)
      : tree_(tree), codes_(codes), parts_(parts), numbers_(parts.size()), ids_(tree.size()), other_(parts.size()) {}

  SubtreePatterns Find() {
    found_.columns.resize(tree_.size());
    for (std::size_t position = tree_.size(); position-- > 0;) FindOf(position);
    WeighRoot();
    return std::move(found_);
  }

 private:
  void FindOf(std::size_t position) {
    std::vector<PatternId>& ids = ids_[position];
    ids.assign(parts_.size(), 0);
    codes_.columns[tree_.order[position]].Visit([&](auto cells) {
      for (std::size_t i = 0; i < parts_.size(); ++i) own_codes_[i] = static_cast<Code>(cells[parts_[i].row]);
    });
    std::size_t count = numbers_.Join(ids, own_codes_);
    for (const std::uint32_t child : tree_.children[position]) {
      if (found_.columns[child].size() == 1) continue;
      std::ranges::copy(ids_[child], other_.begin());
      count = numbers_.Join(ids, other_);
    }
    Describe(position, count);
    for (const std::uint32_t child : tree_.children[position]) ids_[child] = {};
  }

  // By the first row of each pattern.
  void Describe(std::size_t position, std::size_t count) {
    const auto& children = tree_.children[position];
    SubtreePatterns::Column& column = found_.columns[position];
    column.codes.reserve(count);
    column.of_children.resize(children.size() * count);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::size_t pattern = ids_[position][i];
      if (pattern != column.codes.size()) continue;  // not a new one
      column.codes.push_back(own_codes_[i]);
      for (std::size_t c = 0; c < children.size(); ++c) column.of_children[c * count + pattern] = ids_[children[c]][i];
    }
  }

  void WeighRoot() {
    std::vector<double> weights(found_.columns[0].size());
    double total = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      weights[ids_[0][i]] += parts_[i].weight;
      total += parts_[i].weight;
    }
    for (const double weight : weights) found_.shares.push_back(static_cast<float>(weight / total));
  }

  const ColumnTree& tree_;
  const CodeTable& codes_;
  std::span<const RowPart> parts_;
  PairNumbers numbers_;
  std::vector<std::vector<PatternId>> ids_;  // of each position, each row: its pattern
  std::vector<Code> other_;
  std::vector<Code> own_codes_ = other_;  // of the column in work
  SubtreePatterns found_;
};

}  // namespace

std::size_t SubtreePatterns::Count() const {
  std::size_t count = 0;
  for (const Column& column : columns) count += column.size();
  return count;
}

std::size_t SubtreePatterns::CountLinks() const {
  std::size_t count = 0;
  for (const Column& column : columns) count += column.of_children.size();
  return count;
}

std::size_t SubtreePatterns::Bytes() const {
  std::size_t bytes = sizeof(*this) + shares.size() * sizeof(float);
  for (const Column& column : columns) {
    bytes += sizeof(column) + column.codes.size() * sizeof(Code) + column.of_children.size() * sizeof(PatternId);
  }
  return bytes;
}

SubtreePatterns FindPatterns(const ColumnTree& tree, const CodeTable& codes, std::span<const RowPart> parts) {
  return PatternFinder(tree, codes, parts).Find();
}

}  // namespace dtf
