// The paper's theorems on TSPs in general, held by the engine's: invertibility, and what a flow of them can express.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "dtf/error.h"
#include "engine/learnt_tree.h"
#include "engine/random_tsp.h"
#include "engine/tables.h"
#include "tree/compiled_tsp.h"

namespace dtf {
namespace {

std::vector<Code> RandomSizes(RandomStream& random, int most_columns, int most_categories) {
  std::vector<Code> sizes(1 + random.Below(most_columns));
  for (Code& size : sizes) size = static_cast<Code>(1 + random.Below(most_categories));
  return sizes;
}

TEST(TspTheorems, AnyTspWhoseNodesKeepTheirDomainsIsInvertible) {
  RandomStream random(21, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 400; ++round) {
    const std::vector<Code> sizes = RandomSizes(random, 4, 5);
    const oracle::Tree tree = MakeRandomTsp(random, sizes, 5);
    const RandomTable domain = WholeDomain(sizes);
    EXPECT_TRUE(oracle::LeafRangesDisjoint(tree));
    EXPECT_TRUE(oracle::IsInvertible(tree, domain.oracle_sizes()));

    const Tsp tsp = Tsp::Make(ToTspNodes(tree, sizes), sizes);
    const oracle::Rows image = Forward(tsp, domain.rows, sizes);
    for (std::size_t i = 0; i < image.size(); ++i) ASSERT_EQ(image[i], oracle::Forward(tree, domain.rows[i]));
    EXPECT_EQ(Inverse(tsp, image, sizes), domain.rows);
  }
}

// The leaf that a row gets to when left(node) is what goes left.
template <typename Left>
std::int32_t LeafOf(const Tsp& tsp, const oracle::Row& row, const Left& left) {
  std::int32_t node = 0;
  while (!tsp.is_leaf(node)) {
    const auto codes = left(node);
    const auto code = static_cast<Code>(row[tsp.nodes().feature[node]]);
    node = std::binary_search(codes.begin(), codes.end(), code) ? tsp.nodes().left[node] : tsp.nodes().right[node];
  }
  return node;
}

TEST(TspTheorems, ARowTakesByItsRawCodesThePathOfItsImage) {
  RandomStream random(26, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 200; ++round) {
    const std::vector<Code> sizes = RandomSizes(random, 4, 5);
    const Tsp tsp = Tsp::Make(ToTspNodes(MakeRandomTsp(random, sizes, 5), sizes), sizes);
    const CompiledTsp compiled(tsp, sizes);
    const RandomTable domain = WholeDomain(sizes);
    const oracle::Rows image = Forward(tsp, domain.rows, sizes);
    for (std::size_t i = 0; i < image.size(); ++i) {
      const auto raw = [&](std::int32_t node) { return compiled.RawLeftSet(node); };
      const auto own = [&](std::int32_t node) { return tsp.nodes().left_set[node]; };
      ASSERT_EQ(LeafOf(tsp, domain.rows[i], raw), LeafOf(tsp, image[i], own));
    }
  }
}

TEST(TspTheorems, ColumnsOfManyCategoriesAreMovedAlike) {
  RandomStream random(22, RandomPurpose::kShuffle, 0);
  const std::vector<Code> sizes = {3000, 2, kMostDenseCategories, kMostDenseCategories + 1};
  for (int round = 0; round < 5; ++round) {
    const oracle::Tree tree = MakeRandomTsp(random, sizes, 4);
    oracle::Rows rows;
    for (int i = 0; i < 2000; ++i) {
      for (oracle::Row& row = rows.emplace_back(); row.size() < sizes.size();) {
        row.push_back(static_cast<int>(random.Below(sizes[row.size()])));
      }
    }
    const Tsp tsp = Tsp::Make(ToTspNodes(tree, sizes), sizes);
    const oracle::Rows image = Forward(tsp, rows, sizes);
    for (std::size_t i = 0; i < image.size(); ++i) ASSERT_EQ(image[i], oracle::Forward(tree, rows[i]));
    EXPECT_EQ(Inverse(tsp, image, sizes), rows);
  }
}

TEST(TspTheorems, ATspIsInvertibleIffItsLeavesRangesAreDisjointAndIsRefusedOtherwise) {
  // One leaf's permutation is made to leave the leaf's domain.
  RandomStream random(23, RandomPurpose::kShuffle, 0);
  const std::vector<Code> sizes = {3, 3};
  int not_invertible = 0;
  for (int round = 0; round < 300; ++round) {
    oracle::Tree tree = MakeRandomTsp(random, sizes, 3);
    oracle::Node& leaf = tree.nodes.back();
    const auto j = static_cast<Feature>(random.Below(2));
    const std::vector<int> domain = leaf.domain_new[j];
    if (domain.size() == 3) continue;
    int outside = 0;
    while (std::count(domain.begin(), domain.end(), outside) > 0) ++outside;

    TspNodes broken = ToTspNodes(tree, sizes);
    const std::size_t last = tree.nodes.size() - 1;
    Ragged<Feature> moved;
    Ragged<Code> top;
    for (std::size_t id = 0; id < last; ++id) {
      moved.Append(broken.moved[id]);
      for (std::size_t i = 0; i < broken.moved[id].size(); ++i) top.Append(broken.top[broken.moved.Begin(id) + i]);
    }
    moved.Append(std::vector<Feature>{j});
    top.Append(std::vector<Code>{static_cast<Code>(outside)});
    broken.moved = moved;
    broken.top = top;
    EXPECT_THROW(Tsp::Make(broken, sizes), Error);

    leaf.perm[j][domain[0]] = outside;
    EXPECT_FALSE(oracle::SatisfiesInvertibilityConstraint(tree));
    EXPECT_EQ(oracle::IsInvertible(tree, {3, 3}), oracle::LeafRangesDisjoint(tree));
    not_invertible += oracle::IsInvertible(tree, {3, 3}) ? 0 : 1;
  }
  EXPECT_GT(not_invertible, 100);
}

TEST(TspTheorems, OneTspSwapsAnyTwoCellsThatDifferInOneFeature) {
  const std::vector<Code> sizes = {3, 2, 4};
  const RandomTable domain = WholeDomain(sizes);
  for (const oracle::Row& row : domain.rows) {
    for (int j = 0; j < 3; ++j) {
      for (int value = 0; value < static_cast<int>(sizes[j]); ++value) {
        if (value == row[j]) continue;
        oracle::Row other = row;
        other[j] = value;
        const oracle::Tree tree = oracle::SingleFeatureSwap(domain.oracle_sizes(), row, j, value);
        const Tsp tsp = Tsp::Make(ToTspNodes(tree, sizes), sizes);
        oracle::Rows expected = domain.rows;
        for (oracle::Row& each : expected) each = each == row ? other : each == other ? row : each;
        EXPECT_EQ(Forward(tsp, domain.rows, sizes), expected);
      }
    }
  }
}

TEST(TspTheorems, AFlowReachesAnyPermutationOfADomain) {
  RandomStream random(24, RandomPurpose::kShuffle, 0);
  const std::vector<Code> sizes = {2, 3, 2};
  const RandomTable domain = WholeDomain(sizes);
  const oracle::Rows path = oracle::SnakePath(domain.oracle_sizes());
  for (int round = 0; round < 10; ++round) {
    std::vector<int> target(path.size());
    for (std::size_t i = 0; i < target.size(); ++i) target[i] = static_cast<int>(i);
    for (std::size_t i = 0; i + 1 < target.size(); ++i)
      std::swap(target[i], target[i + random.Below(target.size() - i)]);
    oracle::Rows rows = path;
    for (const oracle::Tree& tree : oracle::FlowForPermutation(domain.oracle_sizes(), target)) {
      rows = Forward(Tsp::Make(ToTspNodes(tree, sizes), sizes), rows, sizes);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i], path[target[i]]);
  }
}

}  // namespace
}  // namespace dtf
