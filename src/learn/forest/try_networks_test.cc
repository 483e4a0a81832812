#include "learn/forest/try_networks.h"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "learn/forest/merge_rows.h"

namespace dtf {
namespace {

// Two columns of many categories, few pairs of which occur: in two rows of three the second's is that of the first's.
WeightedRows Pairs(std::size_t count, const std::vector<Code>& sizes, std::mt19937_64& random) {
  WeightedRows rows{CodeTable::WithSizes(count, sizes), {}, 1};
  for (std::size_t i = 0; i < count; ++i) {
    const auto code = static_cast<Code>(random() % sizes[0]);
    rows.codes.columns[0].Set(i, code);
    rows.codes.columns[1].Set(i, static_cast<Code>(random() % 3 != 0 ? code * 7 % sizes[1] : random() % sizes[1]));
  }
  return MergeEqualRows(rows);
}

std::vector<JudgedMember> TryOn(const std::vector<Code>& sizes, std::mt19937_64& random) {
  const WeightedRows rows = Pairs(1000, sizes, random);
  const ColumnQuestions columns = ChooseQuestions(rows, sizes, {false, false});
  const Judge judge(rows, nullptr, columns, {rows.TotalRows(), 0.5, true}, true, 1);
  const ForestOptions options;
  Growth growth(rows, judge, options,
                Budget(rows.codes.rows, rows.codes.columns.size(), judge.cross_validates(), options));
  const std::vector<JudgedMember> members = TryNetworks(growth, {&TreeKind()});
  for (const JudgedMember& member : members) {
    // ln 40, and the entropy of the match: 1.9 nats.
    EXPECT_LT(-growth.MeanOf(member.scores), std::log(40) + 1.9 + 0.4);
  }
  return members;
}

TEST(TryNetworks, CountsPairsOfManyCategories) {
  std::mt19937_64 random(1);
  const std::vector<JudgedMember> members = TryOn({40, 40}, random);
  ASSERT_EQ(members.size(), 1u);
  EXPECT_EQ(members[0].choice.kind, &CountKind());
}

// Trees are as good where one of them has few.
TEST(TryNetworks, DoesNotCountWhereOnlyOneColumnHasManyCategories) {
  std::mt19937_64 random(2);
  EXPECT_TRUE(TryOn({40, 10}, random).empty());
}

}  // namespace
}  // namespace dtf
