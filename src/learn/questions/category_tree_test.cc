#include "learn/questions/category_tree.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace dtf {
namespace {

Logit LeafOf(const LogitTree& tree, Code category, std::uint32_t first_test) {
  if (tree.nodes.empty()) return 0;
  std::int32_t at = 0;
  while (at >= 0) {
    const LogitTree::Node& node = tree.nodes[static_cast<std::size_t>(at)];
    at = category <= node.test - first_test ? node.pass : node.fail;
  }
  return tree.leaves[static_cast<std::size_t>(-1 - at)];
}

TEST(CategoryTree, GivesEachCategoryWhatWasAddedForIt) {
  constexpr std::uint32_t kFirstTest = 7;
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    const auto size = static_cast<Code>(1 + random() % 30);
    std::map<Code, Logit> added;
    CategoryTree growing(kFirstTest);
    for (Code code = 0; code < size; ++code) {
      if (random() % 3 == 0) continue;
      added[code] = static_cast<Logit>(random() % 4) - 1;
      growing.Add(code, added[code]);
    }
    const LogitTree tree = growing.Make();
    for (Code code = 0; code <= size; ++code) {  // the last one is the unseen slot
      EXPECT_EQ(LeafOf(tree, code, kFirstTest), added.contains(code) ? added[code] : 0) << code;
    }
    for (const LogitTree::Node& node : tree.nodes) EXPECT_LT(node.test, kFirstTest + size);
  }
}

}  // namespace
}  // namespace dtf
