#include "learn/hidden_tree/column_tree.h"

#include <gtest/gtest.h>

#include "learn/hidden_tree/hidden_tree_test_util.h"

namespace dtf {
namespace {

TEST(ColumnTree, GoesDownFromTheRootOfTheLargestPart) {
  // 0 alone; 1 above 3 and 4, 4 above 2; 5 above 6.
  const ColumnTree tree = TreeOf({{}, {}, {4}, {1}, {1}, {}, {5}});
  EXPECT_EQ(tree.order, (std::vector<Feature>{1, 0, 3, 4, 2, 5, 6}));
  EXPECT_EQ(tree.parent, (std::vector<std::uint32_t>{0, 0, 0, 0, 3, 0, 5}));
  EXPECT_EQ(tree.children[0], (std::vector<std::uint32_t>{1, 2, 3, 5}));
  EXPECT_EQ(tree.children[3], (std::vector<std::uint32_t>{4}));
  EXPECT_TRUE(tree.children[4].empty());
}

TEST(ColumnTree, HoldsAChainOfManyColumns) {
  std::vector<std::vector<Feature>> parents(20000);
  for (Feature column = 0; column + 1 < parents.size(); ++column) parents[column] = {column + 1};
  const ColumnTree tree = TreeOf(parents);
  ASSERT_EQ(tree.size(), parents.size());
  for (std::uint32_t position = 1; position < tree.size(); ++position) {
    EXPECT_EQ(tree.order[position] + 1, tree.order[position - 1]);
    EXPECT_EQ(tree.parent[position], position - 1);
  }
}

TEST(ColumnTree, LinksColumnsThatTellEachOther) {
  std::mt19937_64 random(1);
  const std::vector<Code> sizes = {2, 2, 2, 2};
  WeightedRows rows = AnyRows(1000, sizes, random);
  for (std::size_t i = 0; i < 1000; ++i) {
    if (random() % 8 != 0) rows.codes.columns[3].Set(i, rows.codes.columns[0].At(i));
  }
  const ColumnTree tree = FindColumnTree(rows, sizes);
  bool linked = false;
  for (std::size_t position = 1; position < 4; ++position) {
    const auto pair = std::minmax(tree.order[position], tree.order[tree.parent[position]]);
    linked |= pair.first == 0 && pair.second == 3;
  }
  EXPECT_TRUE(linked);
}

}  // namespace
}  // namespace dtf
