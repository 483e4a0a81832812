#include "learn/tsp/grow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace dtf {
namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

struct Data {
  std::vector<Code> sizes;
  CodeTable table;
  CodeLayout layout;
  std::vector<Count> weights;

  Data(std::vector<Code> k, std::size_t rows, Count most_weight, std::uint32_t seed)
      : sizes(std::move(k)), table(CodeTable::WithSizes(rows, sizes)), layout(sizes) {
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto hidden = static_cast<Code>(random() % 5);
      for (std::size_t j = 0; j < sizes.size(); ++j) {
        const auto noise = static_cast<Code>(std::min(random() % sizes[j], random() % sizes[j]));
        table.columns[j].Set(i, random() % 2 == 0 ? hidden * static_cast<Code>(j + 1) % sizes[j] : noise);
      }
      if (most_weight > 0) weights.push_back(static_cast<Count>(random() % (most_weight + 1)));
    }
  }

  GrownTree Grow(CriterionKind kind, std::uint64_t split_values, GrowOptions options, std::size_t pair_table_rows,
                 std::size_t pair_table_bytes) const {
    options.pair_table_rows = pair_table_rows;
    options.pair_table_bytes = pair_table_bytes;
    const auto criterion = MakeCriterion(kind, options.seed, options.threads, split_values);
    const CountingTable counting(table, layout, weights);
    return GrowTree(table, counting, 1, sizes, options, 0, *criterion);
  }
};

void ExpectSame(const GrownTree& found, const GrownTree& expected) {
  ASSERT_EQ(found.nodes.size(), expected.nodes.size());
  EXPECT_EQ(found.rows, expected.rows);
  for (std::size_t id = 0; id < found.nodes.size(); ++id) {
    ASSERT_EQ(found.nodes[id].left, expected.nodes[id].left) << "node " << id;
    ASSERT_EQ(found.nodes[id].last_row, expected.nodes[id].last_row) << "node " << id;
    ASSERT_EQ(found.leaf_counts[id].counts, expected.leaf_counts[id].counts) << "node " << id;
    if (found.nodes[id].is_leaf()) continue;
    ASSERT_EQ(found.nodes[id].split, expected.nodes[id].split) << "node " << id;
  }
}

// With tables for every node, for large ones, and for as many as there is room for.
void ExpectTablesChangeNothing(const Data& data, const GrowOptions& options) {
  const std::size_t codes = data.layout.total();
  for (const CriterionKind kind :
       {CriterionKind::kRandom, CriterionKind::kGlp, CriterionKind::kGlpCode, CriterionKind::kGlpAligned}) {
    for (const std::uint64_t split_values : {1, 3}) {
      const GrownTree expected = data.Grow(kind, split_values, options, kNever, 0);
      EXPECT_GT(expected.nodes.size(), 4u);
      for (const std::size_t rows : {std::size_t{0}, data.table.rows / 4}) {
        for (const std::size_t bytes : {kNever / 2, 10 * codes * codes}) {
          ExpectSame(data.Grow(kind, split_values, options, rows, bytes), expected);
        }
      }
    }
  }
}

TEST(Grow, TablesOfPairsChangeNothing) {
  const Data data({2, 3, 12, 2, 6, 4, 33, 2, 9}, 900, 0, 1);
  ExpectTablesChangeNothing(data, {.max_depth = 7, .min_split_rows = 5});
  ExpectTablesChangeNothing(data, {.max_depth = 3, .min_split_rows = 200, .threads = 3});
  ExpectTablesChangeNothing(data, {.max_depth = 4, .min_split_rows = 5, .features_per_node = 4});
}

// No table at the root, but in children in which fewer codes of the wide feature are left.
TEST(Grow, TablesOfPairsBelowTheRoot) {
  const Data data({2, 40, 3, 5, 2}, 300, 0, 2);
  ExpectTablesChangeNothing(data, {.max_depth = 7, .min_split_rows = 5, .threads = 2});
}

TEST(Grow, TablesOfPairsWithWeights) {
  const Data data({2, 3, 12, 2, 6, 4}, 500, 9, 3);
  ExpectTablesChangeNothing(data, {.max_depth = 6, .min_split_rows = 20});
}

}  // namespace
}  // namespace dtf
