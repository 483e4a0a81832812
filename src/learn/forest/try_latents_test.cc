#include "learn/forest/try_latents.h"

#include <algorithm>
#include <random>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "flow/score_table.h"
#include "learn/forest/merge_rows.h"

namespace dtf {
namespace {

const std::vector<Code> kSizes(8, 3);

// Most columns are as one that is not in the table.
WeightedRows Groups(std::size_t count, std::mt19937_64& random) {
  WeightedRows rows{CodeTable::WithSizes(count, kSizes), {}, 1};
  for (std::size_t i = 0; i < count; ++i) {
    const auto group = static_cast<Code>(random() % 3);
    for (CodeColumn& column : rows.codes.columns) {
      column.Set(i, random() % 4 != 0 ? group : static_cast<Code>(random() % 3));
    }
  }
  return MergeEqualRows(rows);
}

bool IsHiddenTree(const JudgedLatent& model) { return std::holds_alternative<HiddenTreeModel>(model.options); }

class TryLatentsTest : public testing::Test {
 protected:
  TryLatentsTest() { EXPECT_FALSE(judge_.cross_validates()); }

  // After members that took much work.
  std::vector<JudgedLatent> TryWith(double weight_of_tree, double used = 1e11) {
    Growth growth(rows_, judge_, options_, Budget(rows_.codes.rows, kSizes.size(), false, options_));
    growth.budget().Use(used);
    return TryLatents(growth, [&](const JudgedLatent& model) {
      EXPECT_TRUE(IsHiddenTree(model));
      return weight_of_tree;
    });
  }

  std::mt19937_64 random_{1};
  WeightedRows rows_ = Groups(400, random_);
  WeightedRows valid_ = Groups(600, random_);
  ColumnQuestions columns_ = ChooseQuestions(rows_, kSizes, std::vector<bool>(kSizes.size(), false));
  Judge judge_{rows_, &valid_, columns_, {rows_.TotalRows(), 0.5, true}, true, 2};
  ForestOptions options_;
};

TEST_F(TryLatentsTest, KeepsTreesOfHiddenStatesThatWeigh) {
  const std::vector<JudgedLatent> all = TryWith(1);
  const auto first_tree = std::ranges::find_if(all, IsHiddenTree);
  EXPECT_EQ(all.end() - first_tree, 4);
  EXPECT_TRUE(std::all_of(first_tree, all.end(), IsHiddenTree));
  const std::vector<JudgedLatent> classes = TryWith(0);
  ASSERT_EQ(static_cast<std::ptrdiff_t>(classes.size()), first_tree - all.begin());
  ASSERT_GT(classes.size(), 1u);
  for (std::size_t i = 0; i < classes.size(); ++i) EXPECT_EQ(classes[i].scores, all[i].scores) << i;
}

// Whichever is learnt first.
TEST_F(TryLatentsTest, ScoresAreThoseOfTheModelTheyStandBy) {
  const HalvedRows judging = Halve(valid_);
  for (const JudgedLatent& model : TryWith(1)) {
    EXPECT_EQ(model.scores, ScoreTable(*model.flow, judging.rows.codes, 1));
  }
}

TEST_F(TryLatentsTest, LeavesOutWhatTheMembersWorkDoesNotAllow) { EXPECT_TRUE(TryWith(1, 1).empty()); }

}  // namespace
}  // namespace dtf
