#include "learn/row_groups.h"

#include <vector>

#include <gtest/gtest.h>

namespace dtf {
namespace {

TEST(GroupRows, ListsTheRowsOfEachCodeInTheirOrder) {
  const std::vector<Code> codes{3, 0, 3, 1, 4, 3};  // 4: not asked for
  CodeColumn column(codes.size(), 5);
  for (std::size_t i = 0; i < codes.size(); ++i) column.Set(i, codes[i]);
  const Ragged<std::uint32_t> groups = GroupRows(column, 4);
  ASSERT_EQ(groups.size(), 4u);
  const std::vector<std::vector<std::uint32_t>> expected{{1}, {3}, {}, {0, 2, 5}};
  for (std::size_t code = 0; code < expected.size(); ++code) {
    EXPECT_EQ(std::vector(groups[code].begin(), groups[code].end()), expected[code]);
  }
  EXPECT_EQ(groups.Begin(4), groups.values().size());
}

TEST(GroupRows, OfNoRowsAreEmpty) { EXPECT_EQ(GroupRows(CodeColumn(0, 3), 2)[1].size(), 0u); }

}  // namespace
}  // namespace dtf
