#include "learn/tsp/grow.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "base/random.h"
#include "base/stop.h"

namespace dtf {
namespace {

// Planes of fewer words, at a nanosecond each, are made by one thread.
constexpr std::size_t kWordsWorthThreads = 100'000;

// If the table of pairs is larger than this, counting anew is as fast as moving the table through memory.
constexpr std::size_t kPairBytesPerRow = 1024;

class Grower {
 public:
  Grower(const CodeTable& codes, const CountingTable& table, double rows_per_count, const GrowOptions& options,
         std::uint64_t layer, Criterion& criterion, GrownTree& tree)
      : codes_(codes),
        table_(table),
        rows_per_count_(rows_per_count),
        options_(options),
        layer_(layer),
        criterion_(criterion),
        tree_(tree) {}

  void Grow(const std::vector<Code>& sizes) {
    tree_.nodes.push_back({.split = {}, .domain = Domain(sizes), .last_row = tree_.rows.size()});
    open_.push_back({table_.CountRows(tree_.rows), nullptr, nullptr});
    criterion_.StartLayer(table_.layout(), open_.front().counts);
    if (MaySplit(0, open_.front().counts)) {
      open_.front().counter = std::make_unique<NodeCounter>(table_, RowsOf(tree_.nodes[0]), open_.front().counts);
      CountPairs(open_.front());
    }
    for (std::size_t id = 0; id < tree_.nodes.size(); ++id) {
      ThrowIfStopped();
      OpenNode node = std::move(open_.front());
      open_.pop_front();
      tree_.leaf_counts.emplace_back();
      const auto split = node.counter ? FindBestSplit(id, node) : std::nullopt;
      if (split) {
        SplitNode(id, node, *split);
      } else {
        DropPairs(node);
        tree_.leaf_counts.back() = std::move(node.counts);
      }
    }
  }

 private:
  // A node not yet handled.
  struct OpenNode {
    NodeCounts counts;
    std::unique_ptr<NodeCounter> counter;  // null if the node is to be a leaf
    std::unique_ptr<PairTable> pairs;      // null: pairs are counted when they are needed
  };

  bool MaySplit(std::size_t id, const NodeCounts& counts) const {
    return tree_.nodes[id].depth < options_.max_depth && counts.total * rows_per_count_ > options_.min_split_rows;
  }

  std::optional<SetSplit> FindBestSplit(std::size_t id, const OpenNode& node) {
    const std::vector<Feature> features = FeaturesToTry(id, *node.counter);
    if (features.empty()) return {};
    return criterion_.BestSplit({layer_, id, tree_.nodes[id].domain, node.counts, *node.counter, features});
  }

  std::vector<Feature> FeaturesToTry(std::size_t id, const NodeCounter& counter) const {
    std::vector<Feature> features;
    for (Feature j = 0; j < table_.layout().features(); ++j) {
      if (counter.present(j).size() >= 2) features.push_back(j);
    }
    const std::size_t wanted = options_.features_per_node;
    if (wanted == 0 || features.size() <= wanted) return features;
    RandomStream(options_.seed, RandomPurpose::kFeatures, layer_, id).DrawFirst(std::span(features), wanted);
    features.resize(wanted);
    std::sort(features.begin(), features.end());
    return features;
  }

  void SplitNode(std::size_t id, OpenNode& open, const SetSplit& split) {
    const RowSplit sides = open.counter->Split(split);
    auto [left_counts, right_counts] = CountChildren(open, sides);
    criterion_.Split(split.feature, open.counts, left_counts, right_counts);

    const GrownNode node = tree_.nodes[id];
    const std::size_t middle = PartitionRows(node, split);
    const auto left = static_cast<std::int32_t>(tree_.nodes.size());
    auto [left_domain, right_domain] = node.domain.Split(split.feature, split.left);
    tree_.nodes[id].split = split;
    tree_.nodes[id].left = left;
    tree_.nodes[id].right = left + 1;
    tree_.nodes.push_back({.depth = node.depth + 1,
                           .split = {},
                           .domain = std::move(left_domain),
                           .first_row = node.first_row,
                           .last_row = middle});
    tree_.nodes.push_back({.depth = node.depth + 1,
                           .split = {},
                           .domain = std::move(right_domain),
                           .first_row = middle,
                           .last_row = node.last_row});

    OpenNode children[2] = {{std::move(left_counts), nullptr, nullptr}, {std::move(right_counts), nullptr, nullptr}};
    const std::span<const std::uint64_t> rows_of[2] = {sides.left, sides.right};
    const PlaneMatrix planes = open.counter->planes().Of(0, static_cast<Feature>(open.counter->features()));
    const bool shared = planes.planes * planes.words > kWordsWorthThreads;
    const bool may_split[2] = {MaySplit(left, children[0].counts), MaySplit(left + 1, children[1].counts)};
    const std::size_t larger = RowsOf(tree_.nodes[left]).size() < RowsOf(tree_.nodes[left + 1]).size() ? 1 : 0;
    const bool inherits =
        open.pairs && may_split[larger] && IsWorthPairs(RowsOf(tree_.nodes[left + larger]).size(), open.pairs->bytes());
    ParallelFor(shared ? options_.threads : 1, 2, [&](std::size_t i) {
      if (!may_split[i] && !inherits) return;
      children[i].counter =
          std::make_unique<NodeCounter>(*open.counter, rows_of[i], RowsOf(tree_.nodes[left + i]), children[i].counts);
    });
    if (inherits) {
      InheritPairs(open, children[larger], children[1 - larger]);
    } else {
      DropPairs(open);
      for (OpenNode& child : children) CountPairs(child);
    }
    if (!may_split[1 - larger]) Close(children[1 - larger]);
    for (OpenNode& child : children) open_.push_back(std::move(child));
  }

  // Whether one more table of this size is worth having for a node of so many rows, and there is room for it.
  bool IsWorthPairs(std::size_t rows, std::size_t bytes) const {
    return criterion_.CountsPairs() && options_.features_per_node == 0 && rows >= options_.pair_table_rows &&
           bytes <= rows * kPairBytesPerRow && pair_bytes_ + bytes <= options_.pair_table_bytes;
  }

  // Gives the node a table of its pairs, if it is to be split and the table worth it.
  void CountPairs(OpenNode& node) {
    if (!node.counter || !node.counter->all_have_planes()) return;
    if (!IsWorthPairs(node.counter->rows(), PairTable::BytesFor(*node.counter))) return;
    SetPairs(node, std::make_unique<PairTable>(*node.counter, options_.threads));
    pair_bytes_ += node.pairs->bytes();
  }

  // The smaller child's pairs by counting; the larger one takes the parent's table over.
  void InheritPairs(OpenNode& parent, OpenNode& larger, OpenNode& smaller) {
    SetPairs(smaller, std::make_unique<PairTable>(*smaller.counter, *parent.pairs, options_.threads));
    pair_bytes_ += smaller.pairs->bytes();
    parent.pairs->Subtract(*smaller.pairs, options_.threads);
    SetPairs(larger, std::move(parent.pairs));
  }

  static void SetPairs(OpenNode& node, std::unique_ptr<PairTable> pairs) {
    node.pairs = std::move(pairs);
    node.counter->UsePairs(node.pairs.get());
  }

  void DropPairs(OpenNode& node) {
    if (!node.pairs) return;
    pair_bytes_ -= node.pairs->bytes();
    node.counter->UsePairs(nullptr);
    node.pairs.reset();
  }

  // Of a node that is to be a leaf.
  void Close(OpenNode& node) {
    DropPairs(node);
    node.counter.reset();
  }

  // The smaller child's counts by counting, the other's by subtraction.
  static std::pair<NodeCounts, NodeCounts> CountChildren(const OpenNode& open, const RowSplit& sides) {
    std::size_t left_rows = 0;
    for (const std::uint64_t word : sides.left) left_rows += static_cast<std::size_t>(std::popcount(word));
    const bool left_is_smaller = left_rows <= open.counter->rows() / 2;
    NodeCounts smaller = open.counter->CountSide(left_is_smaller ? sides.left : sides.right);
    NodeCounts larger = open.counts;
    larger.total -= smaller.total;
    for (std::size_t i = 0; i < larger.counts.size(); ++i) larger.counts[i] -= smaller.counts[i];
    if (!left_is_smaller) std::swap(smaller, larger);
    return {std::move(smaller), std::move(larger)};
  }

  // Brings the rows that go left to the front, both sides in their order; returns where the others begin.
  std::size_t PartitionRows(const GrownNode& node, const SetSplit& split) {
    const auto rows = std::span(tree_.rows).subspan(node.first_row, node.last_row - node.first_row);
    const auto middle = WithSide(split, table_.layout().size(split.feature), [&](const auto& goes_left) {
      return codes_.columns[split.feature].Visit([&](auto cells) {
        return std::stable_partition(rows.begin(), rows.end(),
                                     [&](std::uint32_t row) { return goes_left(cells[row]); });
      });
    });
    return node.first_row + static_cast<std::size_t>(middle - rows.begin());
  }

  std::span<const std::uint32_t> RowsOf(const GrownNode& node) const {
    return std::span(tree_.rows).subspan(node.first_row, node.last_row - node.first_row);
  }

  const CodeTable& codes_;
  const CountingTable& table_;
  double rows_per_count_;
  const GrowOptions& options_;
  std::uint64_t layer_;
  Criterion& criterion_;
  GrownTree& tree_;
  std::deque<OpenNode> open_;  // in order
  std::size_t pair_bytes_ = 0;
};

}  // namespace

GrownTree GrowTree(const CodeTable& codes, const CountingTable& table, double rows_per_count,
                   const std::vector<Code>& sizes, const GrowOptions& options, std::uint64_t layer,
                   Criterion& criterion) {
  GrownTree tree;
  tree.rows.resize(codes.rows);
  std::iota(tree.rows.begin(), tree.rows.end(), std::uint32_t{0});
  Grower(codes, table, rows_per_count, options, layer, criterion, tree).Grow(sizes);
  return tree;
}

}  // namespace dtf
