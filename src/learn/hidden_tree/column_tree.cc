#include "learn/hidden_tree/column_tree.h"

#include <algorithm>

#include "learn/network/count_tree.h"

namespace dtf {
namespace {

// Of a few thousand the tree is clearly worse than of all rows.
constexpr std::size_t kSampleRows = 1 << 14;

Feature FindRoot(const Network& network) {
  const std::vector<Feature> order = ParentsFirst(network);
  std::vector<std::size_t> columns_below(order.size(), 1);
  Feature root = order[0];
  for (auto column = order.rbegin(); column != order.rend(); ++column) {
    for (const Feature parent : network.parents[*column]) columns_below[parent] += columns_below[*column];
  }
  for (const Feature column : order) {
    if (network.parents[column].empty() && columns_below[column] > columns_below[root]) root = column;
  }
  return root;
}

}  // namespace

ColumnTree MakeColumnTree(const Network& network) {
  const std::size_t columns = network.parents.size();
  const Feature root = FindRoot(network);
  std::vector<std::vector<Feature>> children(columns);
  for (Feature column = 0; column < columns; ++column) {
    if (column != root) children[network.parents[column].empty() ? root : network.parents[column][0]].push_back(column);
  }
  ColumnTree tree;
  tree.children.resize(columns);
  struct Open {
    Feature column;
    std::uint32_t parent;
  };
  std::vector<Open> open = {{root, 0}};
  while (!open.empty()) {
    const auto [column, parent] = open.back();
    open.pop_back();
    const auto position = static_cast<std::uint32_t>(tree.size());
    tree.order.push_back(column);
    tree.parent.push_back(parent);
    if (position > 0) tree.children[parent].push_back(position);
    for (auto child = children[column].rbegin(); child != children[column].rend(); ++child) {
      open.push_back({*child, position});
    }
  }
  return tree;
}

ColumnTree FindColumnTree(const WeightedRows& rows, std::span<const Code> sizes) {
  return MakeColumnTree(FindCountTree(rows.EvenSample(kSampleRows), sizes, 1).network);
}

double WorkOfColumnTree(std::size_t rows, std::size_t columns) {
  return CountTreeWork(std::min(rows, kSampleRows), columns);
}

}  // namespace dtf
