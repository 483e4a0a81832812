#include "learn/tsp/grow.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>
#include <utility>

#include "base/random.h"

namespace dtf {
namespace {

class Grower {
 public:
  Grower(const CodeTable& codes, const CountingTable& table, double rows_per_count, const GrowOptions& options, std::uint64_t layer,
         Criterion& criterion, GrownTree& tree)
      : codes_(codes), table_(table), rows_per_count_(rows_per_count), options_(options), layer_(layer),
        criterion_(criterion), tree_(tree) {}

  void Grow(const std::vector<Code>& sizes) {
    tree_.nodes.push_back({.split = {}, .domain = Domain(sizes), .last_row = tree_.rows.size()});
    open_.push_back(table_.CountRows(tree_.rows));
    criterion_.StartLayer(table_.layout(), open_.front());
    for (std::size_t node = 0; node < tree_.nodes.size(); ++node) {
      NodeCounts counts = std::move(open_.front());
      open_.pop_front();
      tree_.leaf_counts.emplace_back();
      if (const auto split = FindBestSplit(node, counts)) {
        SplitNode(node, counts, *split);
      } else {
        tree_.leaf_counts.back() = std::move(counts);
      }
    }
  }

 private:
  std::optional<Candidate> FindBestSplit(std::size_t id, const NodeCounts& counts) {
    const GrownNode& node = tree_.nodes[id];
    if (node.depth >= options_.max_depth || counts.total * rows_per_count_ <= options_.min_split_rows) return {};
    const NodeCounter counter(table_, RowsOf(node), counts);
    const std::vector<Feature> features = FeaturesToTry(id, counter);
    if (features.empty()) return {};
    return criterion_.BestSplit({layer_, id, node.domain, counts, counter, features});
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

  void SplitNode(std::size_t id, const NodeCounts& counts, Candidate split) {
    const GrownNode node = tree_.nodes[id];
    const std::size_t middle = PartitionRows(node, split);
    auto [left_domain, right_domain] = node.domain.Split(split.feature, std::span(&split.value, 1));
    tree_.nodes[id].split = split;
    tree_.nodes[id].left = static_cast<std::int32_t>(tree_.nodes.size());
    tree_.nodes[id].right = tree_.nodes[id].left + 1;
    tree_.nodes.push_back({.depth = node.depth + 1, .split = {}, .domain = std::move(left_domain),
                           .first_row = node.first_row, .last_row = middle});
    tree_.nodes.push_back({.depth = node.depth + 1, .split = {}, .domain = std::move(right_domain),
                           .first_row = middle, .last_row = node.last_row});

    const GrownNode& left = tree_.nodes[tree_.nodes[id].left];
    const GrownNode& right = tree_.nodes[tree_.nodes[id].right];
    const bool left_is_smaller = middle - node.first_row <= node.last_row - middle;
    NodeCounts smaller = table_.CountRows(RowsOf(left_is_smaller ? left : right));
    NodeCounts larger = counts;
    larger.total -= smaller.total;
    for (std::size_t i = 0; i < larger.counts.size(); ++i) larger.counts[i] -= smaller.counts[i];
    if (!left_is_smaller) std::swap(smaller, larger);
    criterion_.Split(split.feature, counts, smaller, larger);
    open_.push_back(std::move(smaller));
    open_.push_back(std::move(larger));
  }

  // Brings the rows that go left to the front, both sides in their order; returns where the others begin.
  std::size_t PartitionRows(const GrownNode& node, Candidate split) {
    const auto rows = std::span(tree_.rows).subspan(node.first_row, node.last_row - node.first_row);
    const auto goes_left = [&](auto cells) {
      return std::stable_partition(rows.begin(), rows.end(), [&](std::uint32_t row) { return cells[row] == split.value; });
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
  std::deque<NodeCounts> open_;  // of the nodes not yet handled, in order
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
