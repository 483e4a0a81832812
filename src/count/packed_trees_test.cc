#include "count/packed_trees.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "count/target_test_util.h"

namespace dtf {
namespace {

constexpr std::size_t kTests = 20;
constexpr std::size_t kRows = 700;
constexpr std::size_t kWords = PackedPlaneWords(kRows);

std::vector<std::uint64_t> RandomPlanes(RandomStream& random, std::size_t planes) {
  std::vector<std::uint64_t> bits(planes * kWords);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const std::size_t left = kRows - std::min(kRows, 64 * (i % kWords));
    bits[i] = random.Next() & (left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1);
  }
  return bits;
}

// Splits random leaves of a growing tree; sometimes a chain.
LogitTree RandomTree(RandomStream& random, std::size_t splits, std::int64_t most) {
  LogitTree tree;
  std::vector<std::pair<std::size_t, bool>> open;  // node, whether it is its pass
  const bool chain = random.Below(4) == 0;
  for (std::size_t i = 0; i < splits; ++i) {
    tree.nodes.push_back({static_cast<std::uint32_t>(random.Below(kTests)), 0, 0});
    if (i > 0) {
      const auto at = open.begin() + static_cast<std::ptrdiff_t>(chain ? open.size() - 1 : random.Below(open.size()));
      (at->second ? tree.nodes[at->first].pass : tree.nodes[at->first].fail) = static_cast<std::int32_t>(i);
      open.erase(at);
    }
    open.insert(open.end(), {{i, random.Below(2) == 0}, {i, false}});
    open.back().second = !open[open.size() - 2].second;
  }
  for (std::size_t leaf = 0; leaf < splits + 1; ++leaf) {
    tree.leaves.push_back(static_cast<Logit>(static_cast<std::int64_t>(random.Below(2 * most + 1)) - most));
    if (leaf < open.size()) {
      auto& node = tree.nodes[open[leaf].first];
      (open[leaf].second ? node.pass : node.fail) = -1 - static_cast<std::int32_t>(leaf);
    }
  }
  return tree;
}

bool Has(const std::uint64_t* plane, std::size_t row) { return (plane[row / 64] >> (row % 64) & 1) != 0; }

Logit ValueOf(const LogitTree& tree, PlaneMatrix tests, std::size_t row) {
  std::int32_t at = tree.nodes.empty() ? -1 : 0;
  while (at >= 0) at = Has(tests[tree.nodes[at].test], row) ? tree.nodes[at].pass : tree.nodes[at].fail;
  return tree.leaves[-1 - at];
}

TEST(PackedTrees, SumWhatEachRowReaches) {
  RandomStream random(1, RandomPurpose::kShuffle, 0);
  OnEachTarget([&] {
    for (int round = 0; round < 60; ++round) {
      const std::vector<std::uint64_t> planes = RandomPlanes(random, kTests);
      const PlaneMatrix tests{planes.data(), kTests, kWords};
      std::vector<std::uint64_t> mask = RandomPlanes(random, 1);
      if (round % 3 == 0) std::fill(mask.begin(), mask.begin() + 8, 0);
      if (round % 3 == 1) mask = std::vector<std::uint64_t>(kWords, round % 2 == 0 ? 0 : 16);

      std::vector<LogitTree> trees(random.Below(8));
      const std::int64_t most = (std::int64_t{1} << 30) / 16;
      for (LogitTree& tree : trees) tree = RandomTree(random, random.Below(40), 1 + random.Below(most));
      std::vector<LogitTerm> terms(random.Below(4));
      for (LogitTerm& term : terms) {
        term.test = static_cast<std::uint32_t>(random.Below(kTests));
        term.value = static_cast<Logit>(random.Below(most)) - static_cast<Logit>(random.Below(most));
      }
      const Logit bias = static_cast<Logit>(random.Below(1000)) - 500;
      std::vector<Logit> logits(64 * kWords);
      PackedTrees(bias, terms, trees).Sum(tests, mask.data(), logits);
      for (std::size_t row = 0; row < kRows; ++row) {
        if (!Has(mask.data(), row)) continue;
        Logit expected = bias;
        for (const LogitTerm& term : terms) expected += Has(tests[term.test], row) ? term.value : 0;
        for (const LogitTree& tree : trees) expected += ValueOf(tree, tests, row);
        ASSERT_EQ(logits[row], expected);
      }
    }
  });
}

TEST(PackedTrees, OfTheLargestLogitsDoNotOverflow) {
  const std::vector<std::uint64_t> plane = std::vector<std::uint64_t>(kPackedWords, 0xF0F0F0F0F0F0F0F0u);
  const std::vector<std::uint64_t> mask(kPackedWords, ~std::uint64_t{0});
  const LogitTree tree{{{0, -1, -2}}, {1 << 29, -(1 << 29)}};
  const LogitTerm term{0, 1 << 29};
  std::vector<Logit> logits(64 * kPackedWords);
  OnEachTarget([&] {
    PackedTrees(0, {&term, 1}, {&tree, 1}).Sum({plane.data(), 1, kPackedWords}, mask.data(), logits);
    EXPECT_EQ(logits[0], -(1 << 29));
    EXPECT_EQ(logits[4], 1 << 30);
  });
}

// A chain of a hundred thousand nodes, as only a hostile file has it.
TEST(PackedTrees, MayBeAsDeepAsTheyLike) {
  LogitTree tree;
  constexpr std::int32_t kNodes = 100000;
  for (std::int32_t i = 0; i < kNodes; ++i) {
    tree.nodes.push_back({static_cast<std::uint32_t>(i % 2), i % 3 == 0 ? -1 - i : i + 1, i % 3 == 0 ? i + 1 : -1 - i});
    tree.leaves.push_back(i);
  }
  (tree.nodes.back().pass < 0 ? tree.nodes.back().fail : tree.nodes.back().pass) = -1 - kNodes;
  tree.leaves.push_back(7);
  RandomStream random(2, RandomPurpose::kShuffle, 0);
  const std::vector<std::uint64_t> planes = RandomPlanes(random, 2);
  const PlaneMatrix tests{planes.data(), 2, kWords};
  const std::vector<std::uint64_t> mask(kWords, ~std::uint64_t{0});
  std::vector<Logit> logits(64 * kWords);
  PackedTrees(0, {}, {&tree, 1}).Sum(tests, mask.data(), logits);
  for (std::size_t row = 0; row < kRows; ++row) ASSERT_EQ(logits[row], ValueOf(tree, tests, row));
}

}  // namespace
}  // namespace dtf
