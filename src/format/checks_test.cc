#include "format/checks.h"

#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "format/test_models.h"

namespace dtf {
namespace {

// Codes of the maps of all leaves below `node`: a map for each column that is permuted on the way.
double MapCodes(const Tsp& tree, const std::vector<Code>& sizes, std::int32_t node, std::set<Feature> moved) {
  for (const Feature feature : tree.moved(node)) moved.insert(feature);
  if (!tree.is_leaf(node)) {
    return MapCodes(tree, sizes, tree.nodes().left[node], moved) +
           MapCodes(tree, sizes, tree.nodes().right[node], moved);
  }
  double codes = 0;
  for (const Feature feature : moved) codes += sizes[feature] + 1.0;
  return codes;
}

TEST(LoadingCost, IsThatOfALeafsMapsAndOfTheirPlaces) {
  RandomStream random(6, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 100; ++round) {
    const std::vector<Code> sizes = {2, 1 + static_cast<Code>(random.Below(9)), 5, 30};
    const Tsp tree = testing::RandomTree(random, sizes, static_cast<int>(random.Below(30)));
    const std::set<Feature> moved(tree.nodes().moved.values().begin(), tree.nodes().moved.values().end());
    const double places = static_cast<double>(moved.size()) * tree.leaves();
    EXPECT_EQ(LoadingCost(tree.nodes(), sizes), 2 * MapCodes(tree, sizes, 0, {}) + 4 * places);
  }
}

// 2^n ways lead to the last node. Whether such a thing is a tree is another's to say, but not after 2^n steps.
TEST(LoadingCost, OfWhatIsNoTreeIsFoundInOneWalk) {
  constexpr std::int32_t kNodes = 100;
  TspNodes nodes;
  for (std::int32_t node = 0; node < kNodes; ++node) {
    const std::int32_t child = node + 1 < kNodes ? node + 1 : kNoChild;
    nodes.left.push_back(child);
    nodes.right.push_back(child);
    nodes.feature.push_back(0);
    nodes.moved.Append(std::vector<Feature>{0});
  }
  EXPECT_GE(LoadingCost(nodes, {3}), 0);
}

}  // namespace
}  // namespace dtf
