#include "count/packed_trees.h"

#include <span>
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

void ExpectSums(Logit bias, std::span<const LogitTerm> terms, std::span<const LogitTree> trees, PlaneMatrix tests,
                const std::vector<std::uint64_t>& mask) {
  std::vector<Logit> logits(64 * tests.words);
  PackedTrees::Scratch scratch;
  PackedTrees(terms, trees).Sum(bias, tests, mask, scratch, logits);
  for (std::size_t row = 0; row < logits.size(); ++row) {
    if (!Has(mask.data(), row)) continue;
    Logit expected = bias;
    for (const LogitTerm& term : terms) expected += Has(tests[term.test], row) ? term.value : 0;
    for (const LogitTree& tree : trees) expected += ValueOf(tree, tests, row);
    ASSERT_EQ(logits[row], expected) << row;
  }
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
      ExpectSums(bias, terms, trees, tests, mask);
    }
  });
}

TEST(PackedTrees, OfTheLargestLogitsDoNotOverflow) {
  const std::vector<std::uint64_t> plane = std::vector<std::uint64_t>(kPackedWords, 0xF0F0F0F0F0F0F0F0u);
  const std::vector<std::uint64_t> mask(kPackedWords, ~std::uint64_t{0});
  const LogitTree tree{{{0, -1, -2}}, {1 << 29, -(1 << 29)}};
  const LogitTerm term{0, 1 << 29};
  std::vector<Logit> logits(64 * kPackedWords);
  PackedTrees::Scratch scratch;
  OnEachTarget([&] {
    PackedTrees({&term, 1}, {&tree, 1}).Sum(0, {plane.data(), 1, kPackedWords}, mask, scratch, logits);
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
  PackedTrees::Scratch scratch;
  PackedTrees({}, {&tree, 1}).Sum(0, tests, mask, scratch, logits);
  for (std::size_t row = 0; row < kRows; ++row) ASSERT_EQ(logits[row], ValueOf(tree, tests, row));
}

// Trees of many pieces, whose cuts fall wherever they like.
TEST(PackedTrees, SumTreesOfManyPieces) {
  RandomStream random(3, RandomPurpose::kShuffle, 0);
  const std::vector<std::uint64_t> planes = RandomPlanes(random, kTests);
  const PlaneMatrix tests{planes.data(), kTests, kWords};
  const std::vector<std::uint64_t> mask = RandomPlanes(random, 1);
  OnEachTarget([&] {
    for (int round = 0; round < 20; ++round) {
      std::vector<LogitTree> trees(3);
      for (LogitTree& tree : trees) tree = RandomTree(random, random.Below(5000), 1 << (10 + round));
      ExpectSums(0, {}, trees, tests, mask);
    }
  });
}

// All leaves at one depth: subtrees are as large as a piece may be, and both children of a node are cut off.
LogitTree PerfectTree(RandomStream& random, int depth) {
  LogitTree tree;
  const std::int32_t nodes = (1 << depth) - 1;
  for (std::int32_t i = 0; i < nodes; ++i) {
    const auto child = [&](std::int32_t at) { return at < nodes ? at : -1 - (at - nodes); };
    tree.nodes.push_back({static_cast<std::uint32_t>(random.Below(kTests)), child(2 * i + 1), child(2 * i + 2)});
  }
  for (std::int32_t leaf = 0; leaf <= nodes; ++leaf) tree.leaves.push_back(static_cast<Logit>(random.Below(1 << 20)));
  return tree;
}

TEST(PackedTrees, SumPerfectTrees) {
  RandomStream random(4, RandomPurpose::kShuffle, 0);
  const std::vector<std::uint64_t> planes = RandomPlanes(random, kTests);
  const std::vector<std::uint64_t> mask = RandomPlanes(random, 1);
  OnEachTarget([&] {
    for (int depth = 0; depth <= 13; ++depth) {
      const std::vector<LogitTree> trees = {PerfectTree(random, depth), PerfectTree(random, 1)};
      ExpectSums(7, {}, trees, {planes.data(), kTests, kWords}, mask);
    }
  });
}

TEST(PackedTrees, AddTermsOfAnySizeAndNumber) {
  RandomStream random(5, RandomPurpose::kShuffle, 0);
  const std::vector<std::uint64_t> planes = RandomPlanes(random, kTests);
  const std::vector<std::uint64_t> mask = RandomPlanes(random, 1);
  OnEachTarget([&] {
    for (std::size_t size = 0; size <= 20; ++size) {
      for (const std::uint64_t most : {1, 1 << 10, 1 << 25}) {
        std::vector<LogitTerm> terms(size);
        for (LogitTerm& term : terms) {
          const auto value = static_cast<Logit>(random.Below(2 * most + 1)) - static_cast<Logit>(most);
          term = {static_cast<std::uint32_t>(random.Below(kTests)), value};
        }
        ExpectSums(-3, terms, {}, {planes.data(), kTests, kWords}, mask);
      }
    }
  });
}

// Sums of many values just below 2^16, the most that is added in 16 bits.
TEST(PackedTrees, StartAnotherGroupBeforeSumsOverflow) {
  RandomStream random(6, RandomPurpose::kShuffle, 0);
  const std::vector<std::uint64_t> planes = RandomPlanes(random, kTests);
  const std::vector<std::uint64_t> mask(kWords, ~std::uint64_t{0});
  OnEachTarget([&] {
    for (const Logit value : {0x3FFF, 0x4000, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x1FFFF}) {
      std::vector<LogitTree> trees;
      for (std::uint32_t i = 0; i < 9; ++i) trees.push_back({{{i, -1, -2}}, {value, i % 2 == 0 ? 0 : -value}});
      ExpectSums(0, {}, trees, {planes.data(), kTests, kWords}, mask);
    }
  });
}

// Of a large block; one row in `share` is asked for.
TEST(PackedTrees, SumFewRowsOfMany) {
  RandomStream random(7, RandomPurpose::kShuffle, 0);
  constexpr std::size_t kManyWords = 64;
  std::vector<std::uint64_t> planes(kTests * kManyWords);
  for (std::uint64_t& word : planes) word = random.Next();
  OnEachTarget([&] {
    for (const std::uint64_t share : {1, 2, 3, 50, 5000}) {
      std::vector<std::uint64_t> mask(kManyWords);
      for (std::size_t row = 0; row < 64 * kManyWords; ++row) {
        if (random.Below(share) == 0) mask[row / 64] |= std::uint64_t{1} << (row % 64);
      }
      const std::vector<LogitTree> trees = {RandomTree(random, 300, 1 << 20), RandomTree(random, 10, 1 << 10)};
      ExpectSums(1, {}, trees, {planes.data(), kTests, kManyWords}, mask);
      ExpectSums(1, {}, {}, {planes.data(), kTests, kManyWords}, mask);
    }
  });
}

// A small question about the last of very many tests.
TEST(PackedTrees, MayLookAtFewOfManyTests) {
  RandomStream random(8, RandomPurpose::kShuffle, 0);
  constexpr std::uint32_t kManyTests = 3000;
  const std::vector<std::uint64_t> planes = RandomPlanes(random, kManyTests);
  const LogitTree tree{{{kManyTests - 1, 1, -1}, {kManyTests - 2, -2, -3}}, {5, -70000, 9}};
  const std::vector<std::uint64_t> mask(kWords, 1);
  OnEachTarget([&] { ExpectSums(0, {}, {&tree, 1}, {planes.data(), kManyTests, kWords}, mask); });
}

}  // namespace
}  // namespace dtf
