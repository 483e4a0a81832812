#include "learn/hidden_tree/expected_shares.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "count/target_test_util.h"
#include "learn/hidden_tree/hidden_tree_test_util.h"

namespace dtf {
namespace {

const std::vector<Code> kSizes = {2, 3, 2, 4};
const std::vector<std::vector<Feature>> kParents = {{1}, {}, {1}, {2}};
constexpr std::size_t kStates = 3;

// By each way to put the columns into states.
std::vector<double> BruteForce(const ColumnTree& tree, const StateNumbers& shares, const WeightedRows& rows) {
  const StateNumbers layout(tree, kSizes, kStates);
  std::vector<double> expected(layout.all().size());
  const auto at = [&](const float* number) { return number - shares.all().data(); };
  for (std::size_t row = 0; row < rows.codes.rows; ++row) {
    std::vector<double> sums(expected.size());
    double total = 0;
    for (std::size_t way = 0; way < 81; ++way) {
      const std::size_t states[] = {way % 3, way / 3 % 3, way / 9 % 3, way / 27};
      std::vector<const float*> used = {shares.root() + states[0]};
      for (std::size_t position = 0; position < 4; ++position) {
        const Code code = rows.codes.columns[tree.order[position]].At(row);
        used.push_back(shares.categories(position) + code * shares.stride() + states[position]);
        if (position == 0) continue;
        const std::size_t of_parent = states[tree.parent[position]];
        used.push_back(shares.transitions(position) + of_parent * shares.stride() + states[position]);
      }
      double product = 1;
      for (const float* share : used) product *= *share;
      total += product;
      for (const float* share : used) sums[at(share)] += product;
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      expected[i] += static_cast<double>(rows.WeightOf(row)) * sums[i] / total / rows.TotalRows();
    }
  }
  return expected;
}

std::vector<RowPart> PartsOf(const WeightedRows& rows) {
  std::vector<RowPart> parts;
  for (std::size_t i = 0; i < rows.codes.rows; ++i) parts.push_back({i, static_cast<double>(rows.WeightOf(i))});
  return parts;
}

TEST(ExpectedShares, AreThoseOfAllWaysToChooseStates) {
  std::mt19937_64 random(1);
  const ColumnTree tree = TreeOf(kParents);
  WeightedRows rows = AnyRows(60, kSizes, random);
  for (std::size_t i = 0; i < 60; ++i) rows.weights.push_back(1 + random() % 4);
  for (std::uint64_t number = 0; number < 3; ++number) {
    const StateModel model(tree, rows, kSizes, kStates, 1, number);
    StateNumbers found(tree, kSizes, kStates);
    ExpectedShares(tree).Find(model, FindPatterns(tree, rows.codes, PartsOf(rows)), found);
    const std::vector<double> expected = BruteForce(tree, model.shares(), rows);
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found.all()[i], expected[i], 1e-6) << i;
  }
}

TEST(ExpectedShares, StayNumbersBelowAColumnWithManyChildren) {
  std::mt19937_64 random(2);
  constexpr std::size_t kColumns = 400;
  const std::vector<Code> sizes(kColumns, 2);
  std::vector<std::vector<Feature>> parents(kColumns, {0});
  parents[0].clear();
  const ColumnTree tree = TreeOf(parents);
  const WeightedRows rows = AnyRows(50, sizes, random);
  const StateModel model(tree, rows, sizes, 5, 1, 0);
  StateNumbers found(tree, sizes, 5);
  ExpectedShares(tree).Find(model, FindPatterns(tree, rows.codes, PartsOf(rows)), found);
  for (std::size_t position = 0; position < kColumns; ++position) {
    double sum = 0;
    for (std::size_t i = 0; i < 3 * found.stride(); ++i) sum += found.categories(position)[i];
    EXPECT_NEAR(sum, 1, 1e-4);
    if (position == 0) continue;
    sum = 0;
    for (std::size_t i = 0; i < 5 * found.stride(); ++i) sum += found.transitions(position)[i];
    EXPECT_NEAR(sum, 1, 1e-4);
  }
}

}  // namespace
}  // namespace dtf
