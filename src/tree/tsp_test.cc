#include "tree/tsp.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dtf/error.h"

namespace dtf {
namespace {

const std::vector<Code> kSizes = {3, 2};

// Root: sorts feature 0 to 2 > 0 > 1 and sends its code 2 left; the right child swaps codes 0 and 1 of feature 0.
struct Parts {
  std::vector<std::int32_t> left = {1, kNoChild, kNoChild};
  std::vector<std::int32_t> right = {2, kNoChild, kNoChild};
  std::vector<Feature> feature = {0, 0, 0};
  std::vector<std::vector<Code>> left_set = {{2}, {}, {}};
  std::vector<std::vector<Feature>> moved = {{0}, {}, {0}};
  std::vector<std::vector<Code>> top = {{0, 2}, {0}};

  TspNodes Nodes() const {
    TspNodes nodes{left, right, feature, {}, {}, {}};
    for (const auto& codes : left_set) nodes.left_set.Append(codes);
    for (const auto& features : moved) nodes.moved.Append(features);
    for (const auto& codes : top) nodes.top.Append(codes);
    return nodes;
  }
};

void ExpectRefused(const Parts& parts, const std::string& reason) {
  try {
    Tsp::Make(parts.Nodes(), kSizes);
    FAIL() << "taken, although " << reason;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kModelFile);
    EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
  }
}

TEST(Tsp, TakesATree) {
  const Tsp tsp = Tsp::Make(Parts().Nodes(), kSizes);
  EXPECT_EQ(tsp.size(), 3);
  EXPECT_EQ(tsp.leaves(), 2);
  EXPECT_EQ(tsp.ParameterCount(3), 2u * 3 + 3 * 2);
}

TEST(Tsp, TakesASingleLeaf) {
  TspNodes leaf{{kNoChild}, {kNoChild}, {0}, {}, {}, {}};
  leaf.left_set.Append({});
  leaf.moved.Append({});
  EXPECT_EQ(Tsp::Make(leaf, kSizes).leaves(), 1);
}

TEST(Tsp, RefusesChildrenThatAreNoTree) {
  Parts loop;
  loop.left[0] = 0;
  ExpectRefused(loop, "has the child 0");
  Parts shared;
  shared.right[0] = 1;
  ExpectRefused(shared, "another parent");
  Parts outside;
  outside.right[0] = 7;
  ExpectRefused(outside, "has the child 7");
  Parts negative;
  negative.right[0] = -2;
  ExpectRefused(negative, "has the child -2");
  Parts single;
  single.right[0] = kNoChild;
  ExpectRefused(single, "one child only");
  Parts orphan;
  orphan.left[0] = orphan.right[0] = kNoChild;
  orphan.left_set[0] = {};
  ExpectRefused(orphan, "no split leads to");
}

TEST(Tsp, RefusesASplitThatIsNone) {
  Parts feature;
  feature.feature[0] = 99;
  ExpectRefused(feature, "column that is not there");
  Parts empty;
  empty.left_set[0] = {};
  ExpectRefused(empty, "proper part");
  Parts all;
  all.left_set[0] = {0, 1, 2};
  ExpectRefused(all, "proper part");
  Parts outside;
  outside.left_set[0] = {3};
  ExpectRefused(outside, "proper part");
  Parts unordered;
  unordered.left_set[0] = {2, 1};
  ExpectRefused(unordered, "out of order");
  Parts leaf;
  leaf.left_set[1] = {1};
  ExpectRefused(leaf, "leaf with a left set");
}

TEST(Tsp, RefusesAPermutationThatIsNone) {
  Parts twice;
  twice.top[0] = {2, 2};
  ExpectRefused(twice, "does not map its domain onto itself");
  Parts outside_the_table;
  outside_the_table.top[0] = {3};
  ExpectRefused(outside_the_table, "does not map its domain onto itself");
  Parts outside_the_node;  // code 2 went left
  outside_the_node.top[1] = {2};
  ExpectRefused(outside_the_node, "node 2");
  Parts unordered;
  unordered.moved[0] = {1, 0};
  unordered.top = {{0}, {0}, {0}};
  ExpectRefused(unordered, "out of order");
  Parts column;
  column.moved[0] = {2};
  ExpectRefused(column, "column that is not there");
}

TEST(Tsp, RefusesATreeDeeperThanTheLimit) {
  const std::vector<Code> sizes = {1000};
  TspNodes nodes;
  const std::int32_t splits = kMaxTreeDepth + 1;
  for (std::int32_t i = 0; i < splits; ++i) {
    nodes.left.insert(nodes.left.end(), {2 * i + 1, kNoChild});
    nodes.right.insert(nodes.right.end(), {2 * i + 2, kNoChild});
    const auto code = static_cast<Code>(i);
    nodes.left_set.Append(std::vector<Code>{code});
    nodes.left_set.Append({});
  }
  // Node 2i splits into the leaf 2i + 1 and the node 2i + 2.
  nodes.left.push_back(kNoChild);
  nodes.right.push_back(kNoChild);
  nodes.left_set.Append({});
  nodes.feature.assign(nodes.left.size(), 0);
  for (std::size_t i = 0; i < nodes.left.size(); ++i) nodes.moved.Append({});
  EXPECT_THROW(Tsp::Make(nodes, sizes), Error);
}

}  // namespace
}  // namespace dtf
