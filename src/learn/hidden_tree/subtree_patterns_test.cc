#include "learn/hidden_tree/subtree_patterns.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "learn/hidden_tree/hidden_tree_test_util.h"

namespace dtf {
namespace {

const std::vector<Code> kSizes = {2, 3, 2, 300, 2, 1};
const std::vector<std::vector<Feature>> kParents = {{1}, {}, {1}, {2}, {2}, {2}};

// The codes of a column and of all below it.
std::vector<Code> CodesBelow(const ColumnTree& tree, const CodeTable& codes, std::size_t position, std::size_t row) {
  std::vector<Code> below = {codes.columns[tree.order[position]].At(row)};
  for (const std::uint32_t child : tree.children[position]) {
    const std::vector<Code> more = CodesBelow(tree, codes, child, row);
    below.insert(below.end(), more.begin(), more.end());
  }
  return below;
}

// The same, read from the patterns.
std::vector<Code> CodesOf(const ColumnTree& tree, const SubtreePatterns& patterns, std::size_t position,
                          std::size_t pattern) {
  const SubtreePatterns::Column& column = patterns.columns[position];
  std::vector<Code> codes = {column.codes[pattern]};
  for (std::size_t c = 0; c < tree.children[position].size(); ++c) {
    const std::vector<Code> more =
        CodesOf(tree, patterns, tree.children[position][c], column.of_children[c * column.size() + pattern]);
    codes.insert(codes.end(), more.begin(), more.end());
  }
  return codes;
}

TEST(SubtreePatterns, AreTheDistinctRowsOfEachColumnAndThoseBelow) {
  std::mt19937_64 random(1);
  const ColumnTree tree = TreeOf(kParents);
  for (const std::size_t count : {1, 2, 40, 500}) {
    const WeightedRows rows = AnyRows(count, kSizes, random);
    std::vector<RowPart> parts;
    double total = 0;
    for (std::size_t i = 0; i < count; i += 1 + random() % 2) {
      parts.push_back({i, 0.5 * static_cast<double>(1 + random() % 3)});
      total += parts.back().weight;
    }
    const SubtreePatterns patterns = FindPatterns(tree, rows.codes, parts);
    std::size_t all = 0;
    std::size_t links = 0;
    for (std::size_t position = 0; position < tree.size(); ++position) {
      std::map<std::vector<Code>, double> expected;
      for (const RowPart& part : parts)
        expected[CodesBelow(tree, rows.codes, position, part.row)] += part.weight / total;
      const std::size_t size = patterns.columns[position].size();
      ASSERT_EQ(size, expected.size());
      for (std::size_t pattern = 0; pattern < size; ++pattern) {
        const auto found = expected.find(CodesOf(tree, patterns, position, pattern));
        ASSERT_NE(found, expected.end());
        if (position == 0) {
          EXPECT_NEAR(patterns.shares[pattern], found->second, 1e-6);
        }
        expected.erase(found);  // each one once
      }
      all += size;
      links += size * tree.children[position].size();
    }
    EXPECT_EQ(patterns.shares.size(), patterns.columns[0].size());
    EXPECT_EQ(patterns.Count(), all);
    EXPECT_EQ(patterns.CountLinks(), links);
  }
}

}  // namespace
}  // namespace dtf
