#include "count/aligned_terms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <vector>

#include "base/logarithm.h"
#include "count/target_test_util.h"

namespace dtf {
namespace {

Count Draw(std::mt19937& random, Count below) { return static_cast<Count>(random() % below); }

struct Block {
  Ragged<Code> present;
  BlockCounts counts;
  std::vector<Count> node;
  std::vector<Count> beside;
  std::vector<double> values;
  double constant = -1.25;
};

// Feature 1 of 3 is the one tested. `most`: of a code's count.
Block RandomBlock(std::size_t codes, std::size_t candidates, Count most, double share, std::mt19937& random) {
  Block block;
  block.present.Append(std::vector<Code>(2));
  block.present.Append(std::vector<Code>(codes));
  block.present.Append(std::vector<Code>(1));
  block.counts.Reset(block.present, 0, 3, BlockCounts::WidthOf(candidates));
  std::uint64_t rows = 0;
  for (std::size_t i = 0; i < codes; ++i) {
    block.node.push_back(1 + Draw(random, most));
    rows += block.node.back();
    for (std::size_t c = 0; c < block.counts.width(); ++c) {
      const bool any = Draw(random, 1000) < 1000 * share;
      block.counts.Row(1, i)[c] = any ? Draw(random, block.node.back() + 1) : 0;
    }
  }
  Count beside = Draw(random, 50);
  for (std::size_t r = 0; r < codes; ++r) block.beside.push_back(beside += Draw(random, 50));
  for (std::uint64_t i = 0; i <= rows + beside; ++i) block.values.push_back(XLogX(static_cast<double>(i) + 0.01));
  return block;
}

// The definition.
double Term(const Block& block, std::size_t c) {
  std::vector<Count> left;
  std::vector<Count> right;
  for (std::size_t i = 0; i < block.node.size(); ++i) {
    left.push_back(block.counts.Row(1, i)[c]);
    right.push_back(block.node[i] - left[i]);
  }
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  double term = 0;
  for (std::size_t r = 0; r < left.size(); ++r) term += block.values[block.beside[r] + left[r] + right[r]];
  return term;
}

void TestBlock(const Block& block) {
  const std::size_t width = block.counts.width();
  std::vector<double> scores(width + 1);
  for (std::size_t c = 0; c <= width; ++c) scores[c] = 0.1 * static_cast<double>(c);
  const auto before = scores;
  AddAlignedTerms(block.counts, 1, {block.node, block.beside, block.values, block.constant},
                  std::span(scores).first(width));
  for (std::size_t c = 0; c < width; ++c) {
    const double expected = before[c] + (Term(block, c) + block.constant);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(scores[c]), std::bit_cast<std::uint64_t>(expected))
        << block.node.size() << " codes, candidate " << c;
  }
  EXPECT_EQ(scores[width], before[width]);
}

TEST(AlignedTerms, EveryNumberOfCodes) {
  OnEachTarget([] {
    std::mt19937 random(1);
    for (std::size_t codes = 1; codes <= 48; ++codes) {
      for (const std::size_t candidates : {1u, 16u, 37u, 70u}) {
        TestBlock(RandomBlock(codes, candidates, 30, 1, random));
        TestBlock(RandomBlock(codes, candidates, 3000, .1, random));
        TestBlock(RandomBlock(codes, candidates, 2, .7, random));  // zeros on either side
      }
    }
  });
}

TEST(AlignedTerms, TwoCodesOfEveryCount) {
  OnEachTarget([] {
    std::mt19937 random(2);
    for (Count most = 1; most <= 80; ++most) TestBlock(RandomBlock(2, 40, most, 1, random));
    for (const Count most : {1000u, 5000u, 100000u}) {
      TestBlock(RandomBlock(2, 20, most, 1, random));
      TestBlock(RandomBlock(2, 500, most, .9, random));
    }
  });
}

TEST(AlignedTerms, ManyCodes) {
  OnEachTarget([] {
    std::mt19937 random(3);
    for (const std::size_t codes : {64u, 91u, 127u, 128u, 129u, 300u}) {
      for (const double share : {0.0, .02, .5, 1.0}) TestBlock(RandomBlock(codes, 33, 40, share, random));
    }
    TestBlock(RandomBlock(5000, 16, 5, .001, random));
    TestBlock(RandomBlock(5000, 16, 5, .2, random));
  });
}

}  // namespace
}  // namespace dtf
