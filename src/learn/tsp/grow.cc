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

namespace dtf {
namespace {

// Fewer rows than this are not worth a second thread.
constexpr std::size_t kRowsWorthThreads = 5000;

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
    open_.push_back({table_.CountRows(tree_.rows), nullptr});
    criterion_.StartLayer(table_.layout(), open_.front().counts);
    if (MaySplit(0, open_.front().counts)) {
      open_.front().counter = std::make_unique<NodeCounter>(table_, RowsOf(tree_.nodes[0]), open_.front().counts);
    }
    for (std::size_t id = 0; id < tree_.nodes.size(); ++id) {
      OpenNode node = std::move(open_.front());
      open_.pop_front();
      tree_.leaf_counts.emplace_back();
      const auto split = node.counter ? FindBestSplit(id, node) : std::nullopt;
      if (split) {
        SplitNode(id, node, *split);
      } else {
        tree_.leaf_counts.back() = std::move(node.counts);
      }
    }
  }

 private:
  // A node not yet handled.
  struct OpenNode {
    NodeCounts counts;
    std::unique_ptr<NodeCounter> counter;  // null if the node is to be a leaf
  };

  bool MaySplit(std::size_t id, const NodeCounts& counts) const {
    return tree_.nodes[id].depth < options_.max_depth && counts.total * rows_per_count_ > options_.min_split_rows;
  }

  std::optional<Candidate> FindBestSplit(std::size_t id, const OpenNode& node) {
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
    RandomStream random(options_.seed, RandomPurpose::kFeatures, layer_, id);
    for (std::size_t i = 0; i < wanted; ++i) std::swap(features[i], features[i + random.Below(features.size() - i)]);
    features.resize(wanted);
    std::sort(features.begin(), features.end());
    return features;
  }

  void SplitNode(std::size_t id, const OpenNode& open, Candidate split) {
    const RowSplit sides = open.counter->Split(split);
    auto [left_counts, right_counts] = CountChildren(open, sides);
    criterion_.Split(split.feature, open.counts, left_counts, right_counts);

    const GrownNode node = tree_.nodes[id];
    const std::size_t middle = PartitionRows(node, split);
    const auto left = static_cast<std::int32_t>(tree_.nodes.size());
    auto [left_domain, right_domain] = node.domain.Split(split.feature, std::span(&split.value, 1));
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

    OpenNode children[2] = {{std::move(left_counts), nullptr}, {std::move(right_counts), nullptr}};
    const std::span<const std::uint64_t> rows_of[2] = {sides.left, sides.right};
    const bool shared = node.last_row - node.first_row > kRowsWorthThreads;
    ParallelFor(shared ? options_.threads : 1, 2, [&](std::size_t i) {
      const std::size_t child = left + i;
      if (!MaySplit(child, children[i].counts)) return;
      children[i].counter =
          std::make_unique<NodeCounter>(*open.counter, rows_of[i], RowsOf(tree_.nodes[child]), children[i].counts);
    });
    for (OpenNode& child : children) open_.push_back(std::move(child));
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
  std::size_t PartitionRows(const GrownNode& node, Candidate split) {
    const auto rows = std::span(tree_.rows).subspan(node.first_row, node.last_row - node.first_row);
    const auto goes_left = [&](auto cells) {
      return std::stable_partition(rows.begin(), rows.end(),
                                   [&](std::uint32_t row) { return cells[row] == split.value; });
    };
    return node.first_row + static_cast<std::size_t>(codes_.columns[split.feature].Visit(goes_left) - rows.begin());
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
