#include "learn/hidden_tree/state_model.h"

#include <random>

#include <gtest/gtest.h>

#include "learn/hidden_tree/hidden_tree_test_util.h"

namespace dtf {
namespace {

const std::vector<Code> kSizes = {2, 3};
constexpr std::size_t kStates = 2;

WeightedRows ThreeRows() {
  WeightedRows rows{CodeTable::WithSizes(3, kSizes), {}, 1};
  rows.codes.columns[0].Set(0, 1);
  rows.codes.columns[1].Set(0, 2);
  rows.codes.columns[1].Set(1, 3);  // no category
  return rows;
}

TEST(StateModel, LearnsSharesTowardsThoseOfTheTable) {
  const ColumnTree tree = TreeOf({{}, {0}});
  const WeightedRows rows = ThreeRows();
  StateModel model(tree, rows, kSizes, kStates, 1, 0);
  StateNumbers expected(tree, kSizes, kStates);
  const std::size_t stride = expected.stride();
  expected.root()[0] = 0.75f;
  expected.root()[1] = 0.25f;
  expected.transitions(1)[0] = 0.5f;
  expected.transitions(1)[1] = 0.25f;
  expected.transitions(1)[stride + 1] = 0.25f;
  expected.categories(0)[0] = 0.75f;           // category 0, state 0
  expected.categories(0)[stride + 1] = 0.25f;  // category 1, state 1
  expected.categories(1)[2 * stride] = 0.5f;
  expected.categories(1)[3 * stride + 1] = 0.5f;  // of no category
  model.Learn(expected, 0.25f);

  const StateNumbers& shares = model.shares();
  EXPECT_NEAR(shares.root()[0], (0.75 + 0.125) / 1.25, 1e-6);
  // Half of what comes next is in each state.
  EXPECT_NEAR(shares.transitions(1)[0], (0.5 + 0.125) / 1, 1e-6);
  EXPECT_NEAR(shares.transitions(1)[stride], (0.0 + 0.125) / 0.5, 1e-6);
  EXPECT_EQ(model.transposed(1)[1], shares.transitions(1)[stride]);
  EXPECT_EQ(model.transposed(1)[stride], shares.transitions(1)[1]);
  // The table has 2.5 : 1.5 with half a row more of each category.
  EXPECT_NEAR(shares.categories(0)[0], (0.75 + 0.25 * 2.5 / 4) / 1, 1e-6);
  EXPECT_NEAR(shares.categories(0)[1], (0.25 * 2.5 / 4) / 0.5, 1e-6);
  // In a state of which nothing is known: as in the table, 1.5 : 0.5 : 1.5.
  EXPECT_NEAR(shares.categories(1)[1], 1.5 / 3.5, 1e-6);
  EXPECT_NEAR(shares.categories(1)[stride + 1], 0.5 / 3.5, 1e-6);
  EXPECT_EQ(shares.categories(1)[3 * stride], 1);
}

TEST(StateModel, BeginsWithStatesFarApart) {
  const ColumnTree tree = TreeOf({{}, {0}});
  const WeightedRows rows = ThreeRows();
  constexpr std::size_t kMany = 200;
  const StateModel model(tree, rows, kSizes, kMany, 1, 0);
  const StateNumbers& shares = model.shares();
  double sum = 0;
  double squares = 0;
  for (std::size_t z = 0; z < kMany; ++z) {
    // Within the bounds of shares.
    const double odds = std::log(shares.categories(0)[z] / shares.categories(0)[shares.stride() + z]);
    sum += odds;
    squares += odds * odds;
  }
  EXPECT_NEAR(sum / kMany, std::log(2.5 / 1.5), 2);
  EXPECT_NEAR(std::sqrt(squares / kMany), 8, 1.2);
  const StateModel other(tree, rows, kSizes, kMany, 1, 1);
  EXPECT_NE(shares.categories(0)[0], other.shares().categories(0)[0]);
}

TEST(StateModel, IsWrittenByColumn) {
  const ColumnTree tree = TreeOf({{1}, {}});  // column 1 is the root
  const WeightedRows rows = ThreeRows();
  const StateModel model(tree, rows, kSizes, kStates, 1, 0);
  const HiddenTree hidden = model.ToHiddenTree();
  EXPECT_EQ(hidden.order, (std::vector<Feature>{1, 0}));
  EXPECT_EQ(hidden.root, std::vector<LogShare>(2, ToLogShare(0.5)));
  ASSERT_EQ(hidden.transitions.size(), 4u);
  EXPECT_EQ(hidden.transitions[2], ToLogShare(model.shares().transitions(1)[model.shares().stride()]));
  ASSERT_EQ(hidden.categories.size(), 10u);
  EXPECT_EQ(hidden.categories[0], ToLogShare(model.shares().categories(1)[0]));
  EXPECT_EQ(hidden.categories[5], ToLogShare(model.shares().categories(0)[1]));
}

}  // namespace
}  // namespace dtf
