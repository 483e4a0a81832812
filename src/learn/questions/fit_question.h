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
  bool ridge_by_rows = false;  // the regression solved by rows, of which there are far fewer than tests
};

// What held-out rows chose for a question: enough to learn it again, from more rows.
struct QuestionSize {
  int linear_steps = 0;
  int boost_rounds = 0;
};

// What a question has learnt: how much of it judges best, and how many boosted trees there are in all, the last ones
// past the best.
struct QuestionFit {
  QuestionSize best;
  int boosted = 0;
};

// Leaves the first `rounds` boosted trees, or all when there are fewer.
void TrimTrees(int rounds, QuestionFit& fit, Question& question);

// Fills in bias, terms and trees, whose tests are positions in the rows' tests. `factor`: of the rows and the learner's
// λ; null: one of its own, if needed. `size`: learn as much as that; else as `valid` judges best, and without it do not
// boost at all.
QuestionFit FitQuestion(const QuestionRows& train, const QuestionRows* valid, const Learner& learner,
                        const RidgeFactor* factor, std::optional<QuestionSize> size, std::uint64_t seed,
                        Question& question);

}  // namespace dtf
