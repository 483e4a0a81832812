#include "learn/classes/latent_classes.h"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "flow/autoregressive_flow.h"
#include "flow/score_table.h"
#include "learn/forest/fit_member.h"

namespace dtf {
namespace {

// The conditioners of a class are its shares, whatever questions the columns are asked for.
TEST(LatentClasses, BecomeFlowsOfTheSameProbabilities) {
  const std::vector<Code> sizes = {3, 2, 1, 4, 5};
  std::mt19937_64 random(4);
  const auto uniform = [&] { return 0.01 + static_cast<double>(random() % 1000) / 1000; };
  WeightedRows rows{CodeTable::WithSizes(200, sizes), {}, 1};
  LatentClass one;
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    for (std::size_t i = 0; i < 200; ++i) rows.codes.columns[j].Set(i, static_cast<Code>(random() % sizes[j]));
    auto& shares = one.shares.emplace_back();
    double sum = 0;
    for (Code code = 0; code < sizes[j]; ++code) sum += shares.emplace_back(uniform());
    for (double& share : shares) share /= sum;
  }
  const ColumnQuestions columns = ChooseQuestions(rows, sizes, {false, true, false, true, false});
  const AutoregressiveFlow flow(sizes, {4, 2, 0, 1, 3}, {}, ConditionersOf(one, columns.questions),
                                ConditionalBase{.rows = 1, .alpha = 0, .closed = true});
  const auto scores = ScoreTable(flow, rows.codes, 1);
  for (std::size_t i = 0; i < 200; ++i) {
    double expected = 0;
    for (std::size_t j = 0; j < sizes.size(); ++j) expected += std::log(one.shares[j][rows.codes.columns[j].At(i)]);
    EXPECT_NEAR(scores[i], expected, 1e-3);
  }
}

}  // namespace
}  // namespace dtf
