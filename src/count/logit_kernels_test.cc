#include "count/logit_kernels.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "count/logistic.h"
#include "count/target_test_util.h"

namespace dtf {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr std::size_t kTests = 7;
constexpr std::uint64_t kWordSentinel = 0xFEEDFACECAFEBEEF;

bool Bit(const std::uint64_t* plane, std::size_t i) { return plane[i / 64] >> (i % 64) & 1; }

Words RandomWords(std::size_t size, std::mt19937_64& random) {
  Words words(size);
  for (auto& word : words) {
    word = random();
    if (random() % 3 == 0) word &= random() & random() & random();
    if (random() % 3 == 0) word = ~word;
  }
  return words;
}

// Leaf 0, split again and again at a random place.
LogitTree RandomTree(std::size_t inner_nodes, std::mt19937_64& random) {
  LogitTree tree;
  tree.leaves.push_back(static_cast<Logit>(random() % 2000) - 1000);
  std::vector<std::int32_t*> places;
  tree.nodes.reserve(inner_nodes);
  for (std::size_t i = 0; i < inner_nodes; ++i) {
    std::int32_t leaf = -1;
    if (!places.empty()) {
      const std::size_t at = random() % places.size();
      leaf = *places[at];
      *places[at] = static_cast<std::int32_t>(i);
      places.erase(places.begin() + static_cast<std::ptrdiff_t>(at));
    }
    tree.leaves.push_back(static_cast<Logit>(random() % 2000) - 1000);
    const auto new_leaf = -static_cast<std::int32_t>(tree.leaves.size());
    tree.nodes.push_back({static_cast<std::uint32_t>(random() % kTests), leaf, new_leaf});
    places.push_back(&tree.nodes.back().pass);
    places.push_back(&tree.nodes.back().fail);
  }
  return tree;
}

std::size_t LeafOf(const LogitTree& tree, PlaneMatrix tests, std::size_t row) {
  if (tree.nodes.empty()) return 0;
  std::int32_t at = 0;
  while (at >= 0) {
    const auto& node = tree.nodes[static_cast<std::size_t>(at)];
    at = Bit(tests[node.test], row) ? node.pass : node.fail;
  }
  return static_cast<std::size_t>(-1 - at);
}

// The calls of a tree on `words` words, against a loop over rows.
void TestTree(std::size_t words, std::size_t inner_nodes, std::mt19937_64& random) {
  SCOPED_TRACE(testing::Message() << words << " words, " << inner_nodes << " nodes");
  const LogitTree tree = RandomTree(inner_nodes, random);
  Words planes = RandomWords(kTests * words, random);
  planes.push_back(kWordSentinel);
  const PlaneMatrix tests = {planes.data(), kTests, words};
  const std::size_t rows = 64 * words;
  std::vector<Logit> before(rows + 1);
  std::vector<std::int32_t> gradients(rows);
  std::vector<std::int32_t> hessians(rows);
  for (Logit& logit : before) logit = static_cast<Logit>(random() % 100000);
  for (auto& value : gradients) value = static_cast<std::int32_t>(random() % (1 << 22)) - (1 << 21);
  for (auto& value : hessians) value = 1 << 21;
  std::vector<std::int32_t> leaf_of_row(rows + 1, -1);
  FindLeaves(tree, tests, std::span(leaf_of_row).first(rows));
  std::vector<Logit> logits = before;
  AddTree(tree, tests, std::span(logits).first(rows));
  std::vector<LeafSums> sums(tree.leaves.size(), {7, 7});
  SumLeaves(std::span(leaf_of_row).first(rows), gradients, hessians, sums);

  EXPECT_EQ(logits[rows], before[rows]);
  EXPECT_EQ(leaf_of_row[rows], -1);
  std::vector<LeafSums> expected(tree.leaves.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t leaf = LeafOf(tree, tests, i);
    ASSERT_EQ(leaf_of_row[i], static_cast<std::int32_t>(leaf)) << "row " << i;
    ASSERT_EQ(logits[i], before[i] + tree.leaves[leaf]) << "row " << i;
    expected[leaf].gradient += gradients[i];
    expected[leaf].hessian += hessians[i];
  }
  for (std::size_t l = 0; l < sums.size(); ++l) {
    ASSERT_EQ(sums[l].gradient, expected[l].gradient) << "leaf " << l;
    ASSERT_EQ(sums[l].hessian, expected[l].hessian) << "leaf " << l;
  }
}

TEST(LogitKernels, TreesAreAPlainLoop) {
  OnEachTarget([] {
    std::mt19937_64 random(1);
    for (const std::size_t words : {1, 2, 7, 8, 9, 16, 23}) {
      for (const std::size_t inner_nodes : {0, 1, 2, 5, 15, 31, 32, 40, 200}) TestTree(words, inner_nodes, random);
    }
  });
}

// All rows in one leaf, and each derivative the largest that it can be: no sum overflows.
TEST(LogitKernels, SumsOfTheLargestDerivatives) {
  constexpr std::int32_t kMost = 1 << kDerivativeBits;
  for (const std::int32_t gradient : {-kMost, kMost}) {
    for (const std::size_t rows : {64, 4096, 64 * 157}) {
      const std::vector<std::int32_t> leaf_of_row(rows, 1);
      std::vector<LeafSums> sums(3);
      SumLeaves(leaf_of_row, std::vector(rows, gradient), std::vector(rows, kMost), sums);
      EXPECT_EQ(sums[1].gradient, static_cast<std::int64_t>(rows) * gradient);
      EXPECT_EQ(sums[1].hessian, static_cast<std::int64_t>(rows) * kMost);
      EXPECT_EQ(sums[2].hessian, 0);
    }
  }
}

TEST(LogitKernels, TermsAreAPlainLoop) {
  OnEachTarget([] {
    std::mt19937_64 random(2);
    for (const std::size_t words : {1, 3, 8}) {
      for (const std::size_t size : {0, 1, 5}) {
        const Words planes = RandomWords(kTests * words, random);
        const PlaneMatrix tests = {planes.data(), kTests, words};
        std::vector<LogitTerm> terms(size);
        for (LogitTerm& term : terms) {
          term = {static_cast<std::uint32_t>(random() % kTests), static_cast<Logit>(random() % 1000) - 500};
        }
        std::vector<Logit> logits(64 * words, 3);
        AddTerms(terms, tests, logits);
        for (std::size_t i = 0; i < logits.size(); ++i) {
          Logit expected = 3;
          for (const LogitTerm& term : terms) expected += Bit(tests[term.test], i) ? term.value : 0;
          ASSERT_EQ(logits[i], expected);
        }
      }
    }
  });
}

}  // namespace
}  // namespace dtf
