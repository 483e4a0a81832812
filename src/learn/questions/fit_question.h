// One question learnt from its rows: a start, and trees boosted from there.
#pragma once

#include <cstdint>
#include <optional>

#include "flow/conditioner.h"
#include "learn/questions/boosted.h"
#include "learn/questions/linear.h"
#include "learn/questions/question_rows.h"

namespace dtf {

// How questions are learnt. The start is the marginal, moved by `tree_share` of the way to the averaged tree, or the
// ridge regression.
struct Learner {
  double tree_share = 0;
  std::optional<double> ridge_lambda;
  std::optional<BoostOptions> boost;
};

// What held-out rows chose for a question: enough to learn it again, from more rows.
struct QuestionSize {
  int linear_steps = 0;
  int boost_rounds = 0;
};

// Fills in bias, terms and trees, whose tests are positions in the rows' tests. `factor`: of the rows and the learner's
// λ; null: one of its own, if needed. `size`: learn as much as that; else as `valid` judges best, and without it do not
// boost at all.
QuestionSize FitQuestion(const QuestionRows& train, const QuestionRows* valid, const Learner& learner,
                         const RidgeFactor* factor, std::optional<QuestionSize> size, std::uint64_t seed,
                         Question& question);

}  // namespace dtf
