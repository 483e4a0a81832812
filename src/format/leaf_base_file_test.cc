#include "format/leaf_base_file.h"

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "dtf/error.h"
#include "format/test_models.h"

namespace dtf {
namespace {

using Lists = std::vector<std::vector<CodeCount>>;

const std::vector<Code> kSizes = {3, 2};

// Column 0's code 2 goes left.
Tsp OneSplit() { return testing::MakeTree({{1, 2, 0, {2}}, {}, {}}, kSizes); }

LeafBaseArguments Arguments(const Lists& lists) {
  LeafBaseArguments base{{}, 1, 0.5, 2};
  for (const auto& list : lists) base.counts.Append(list);
  return base;
}

const Lists kGood = {{{2, 3}}, {{0, 1}, {1, 2}}, {{0, 4}, {1, 1}}, {{1, 5}}};

std::string WhyRefused(const LeafBaseArguments& base) {
  try {
    CheckLeafBase(base, OneSplit(), kSizes);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kModelFile);
    return error.what();
  }
  return "";
}

void ExpectRefused(const std::string& reason, const std::function<void(Lists&)>& spoil) {
  Lists lists = kGood;
  spoil(lists);
  EXPECT_EQ(WhyRefused(Arguments(lists)), reason);
}

TEST(LeafBaseFile, IsCheckedListByList) {
  EXPECT_EQ(WhyRefused(Arguments(kGood)), "");
  EXPECT_EQ(WhyRefused(Arguments({{}, {}, {}, {}})), "");  // alpha is not 0
  ExpectRefused("its base's codes are out of order", [](Lists& lists) { std::swap(lists[1][0], lists[1][1]); });
  ExpectRefused("its base's codes are out of order", [](Lists& lists) { lists[1][1].code = 0; });
  ExpectRefused("its base's codes are not all of their leaf's domain", [](Lists& lists) { lists[0][0].code = 1; });
  ExpectRefused("its base's codes are not all of their leaf's domain", [](Lists& lists) { lists[2][1].code = 2; });
  ExpectRefused("its base's codes are not all of their leaf's domain", [](Lists& lists) { lists[3][0].code = 2; });
  ExpectRefused("its base's counts are not all positive", [](Lists& lists) { lists[1][0].count = 0; });
  ExpectRefused("its base's counts of a leaf's columns differ in sum", [](Lists& lists) { lists[3][0].count = 4; });
  ExpectRefused("its base's counts sum to 2^53 or more",
                [](Lists& lists) { lists[0][0].count = std::uint64_t{1} << 53; });
  ExpectRefused("its base's counts sum to 2^53 or more", [](Lists& lists) {
    lists = {{{2, std::uint64_t{1} << 52}}, {{0, std::uint64_t{1} << 52}}, {{0, std::uint64_t{1} << 52}}, {}};
    lists[3] = {{1, std::uint64_t{1} << 52}};
  });
  ExpectRefused("its base's lists are not one for each leaf and column", [](Lists& lists) { lists.pop_back(); });
  ExpectRefused("its base's lists are not one for each leaf and column", [](Lists& lists) { lists.push_back({}); });
}

TEST(LeafBaseFile, IsCheckedNumberByNumber) {
  for (const double prior_rows : {0.0, -1.0, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    LeafBaseArguments base = Arguments(kGood);
    base.prior_rows = prior_rows;
    EXPECT_EQ(WhyRefused(base), "its base's prior rows are not a number from 0 to 2^900");
  }
  LeafBaseArguments base = Arguments({{}, {}, {}, {}});
  base.alpha = 0;
  EXPECT_EQ(WhyRefused(base), "there are no counts, and alpha is 0");
  base.alpha = -1;
  EXPECT_EQ(WhyRefused(base), "alpha is not a number from 0 to 2^900");
  base.alpha = 1;
  base.unit = 3;
  EXPECT_EQ(WhyRefused(base), "the unit of counts is not a power of two from 2^-16 to 1");
}

// Each count is kept again at every node above: in a deep chain that is far more than the file's.
TEST(LeafBaseFile, CostsEachCountAtEveryNodeAboveIt) {
  constexpr std::int32_t kDepth = 250;
  constexpr Code kCodes = 100;
  const std::vector<Code> sizes = {kDepth + 1, kCodes};
  std::vector<testing::Node> nodes;
  for (std::int32_t i = 0; i < kDepth; ++i) {
    nodes.push_back({2 * i + 1, 2 * i + 2, 0, {static_cast<Code>(i)}});
    nodes.emplace_back();
  }
  nodes.emplace_back();
  const Tsp tree = testing::MakeTree(nodes, sizes);
  std::vector<CodeCount> all;
  for (Code code = 0; code < kCodes; ++code) all.push_back({code, 1});
  LeafBaseArguments base{{}, 1, 0.5, 2};
  for (std::int32_t leaf = 0; leaf <= kDepth; ++leaf) {
    const bool is_last = leaf == kDepth;
    base.counts.Append(is_last ? std::vector<CodeCount>{{kDepth, kCodes}} : std::vector<CodeCount>{});
    base.counts.Append(is_last ? all : std::vector<CodeCount>{});
  }
  CheckLeafBase(base, tree, sizes);
  EXPECT_EQ(LeafBaseCost(base, tree, sizes), 48.0 * (kCodes + 1) * (kDepth + 1));
}

TEST(LeafBaseFile, CostsACodeThatOccursInTwoLeavesOnceAbove) {
  const std::vector<Code> sizes = {2, 2};
  const Tsp tree = testing::MakeTree({{1, 2, 0, {0}}, {}, {}}, sizes);
  LeafBaseArguments base{{}, 1, 0.5, 2};
  for (const Code leaf : {0, 1}) {
    base.counts.Append(std::vector<CodeCount>{{leaf, 7}});
    base.counts.Append(std::vector<CodeCount>{{0, 3}, {1, 4}});
  }
  CheckLeafBase(base, tree, sizes);
  EXPECT_EQ(LeafBaseCost(base, tree, sizes), 48.0 * (2 * (1 + 2) + 2 + 2));
}

TEST(LeafBaseFile, OfRandomLayersIsTheSameBytesAndScoresAfterReload) {
  RandomStream random(3, RandomPurpose::kShuffle, 0);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    ModelContent content = testing::RandomContent(seed, 1 + seed % 5, 1 + static_cast<Code>(seed % 30), 2, 9);
    const auto& independent = dynamic_cast<const LayeredFlow&>(*content.flow);
    const std::vector<Code> sizes = independent.sizes();
    const Tsp& last = independent.layers().back();
    CodeBlock block(100, sizes.size());
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      for (Code& code : block[j]) code = static_cast<Code>(random.Below(sizes[j]));
    }
    const auto leaf_of = CompiledTsp(last, sizes).LeavesOfImages(block);
    Ragged<CodeCount> counts;
    for (std::int32_t node = 0; node < last.size(); ++node) {
      for (std::size_t j = 0; last.is_leaf(node) && j < sizes.size(); ++j) {
        std::vector<CodeCount> of_column;
        for (Code code = 0; code < sizes[j]; ++code) {
          std::uint64_t count = 0;
          for (std::size_t i = 0; i < 60; ++i) count += leaf_of[i] == node && block[j][i] == code ? 1 + i : 0;
          if (count > 0) of_column.push_back({code, count});
        }
        counts.Append(of_column);
      }
    }
    LeafBase base(last, sizes, std::move(counts), 0x1p-3, 0.25, 4, content.schema.closed);
    content.flow = std::make_shared<LayeredFlow>(sizes, independent.layers(), std::move(base));
    const std::string file = SerializeModel(content);
    const ModelContent loaded = testing::Parse(file);
    EXPECT_EQ(SerializeModel(loaded), file);
    std::vector<double> before(block.rows());
    std::vector<double> after(block.rows());
    content.flow->LogProb(block, before);
    loaded.flow->LogProb(block, after);
    EXPECT_EQ(before, after);
  }
}

}  // namespace
}  // namespace dtf
