#include "learn/classes/latent_classes.h"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "flow/score_table.h"
#include "learn/classes/two_classes_test_util.h"
#include "learn/forest/latent_model.h"

namespace dtf {
namespace {

// A flow of classes has their probabilities, whatever questions the columns are asked for.
TEST(LatentClasses, BecomeFlowsOfTheSameProbabilities) {
  std::mt19937_64 random(4);
  const WeightedRows rows = TwoClasses(200, random);
  const ColumnQuestions columns = ChooseQuestions(rows, kSizes, {false, true, false, true, false});
  const FewClassOptions options{.classes = 3};
  const auto flow = FitClassFlow(columns, rows, options, 1, {.rows = 1, .alpha = 0, .closed = true});
  const auto scores = ScoreTable(*flow, rows.codes, 1);
  const auto classes = FitFewClasses(rows, kSizes, options, 1);
  for (std::size_t i = 0; i < 200; ++i) {
    double expected = 0;
    for (const LatentClass& one : classes) {
      double probability = one.weight;
      for (std::size_t j = 0; j < kSizes.size(); ++j) probability *= one.shares[j][rows.codes.columns[j].At(i)];
      expected += probability;
    }
    EXPECT_NEAR(scores[i], std::log(expected), 1e-3);
  }
}

}  // namespace
}  // namespace dtf
