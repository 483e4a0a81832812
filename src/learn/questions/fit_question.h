// One question learnt from its rows: a start, and trees boosted from there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "flow/conditioner.h"
#include "learn/questions/boosted.h"
#include "learn/questions/linear.h"
#include "learn/questions/question_rows.h"
#include "learn/questions/ridge_factor.h"

namespace dtf {

// How questions are learnt. The start is the marginal, moved by `tree_share` of the way to the averaged tree, or the
// ridge regression; or what the rows begin with (QuestionRows::start), which takes their place, and is no part of what
// is learnt.
struct Learner {
  double tree_share = 0;
  bool ridge = false;
  std::optional<BoostOptions> boost;
};

// How many boosted trees a question has learnt, and at what cost.
struct QuestionFit {
  int evaluations = 0;  // by the regression
  int boosted = 0;
  int rounds = 0;                                  // of boosting, those that gave no tree, too
  std::vector<std::array<double, 2>> losses = {};  // as BoostedTrees has them
};

// Leaves the first `rounds` boosted trees, or all when there are fewer.
void TrimTrees(int rounds, QuestionFit& fit, Question& question);

// Moves the bias on from the marginal (MarginalLogit), and fills in terms and trees, whose tests are positions in the
// rows' tests. `factor`: of the rows and kRidgeMetricRows; null: one of its own, if needed. boost_rounds: none: until
// `valid` finds no better ones, and without it not at all.
QuestionFit FitQuestion(const QuestionRows& train, const QuestionRows* valid, const Learner& learner,
                        const RidgeFactor* factor, double ridge_penalty, std::optional<int> boost_rounds,
                        std::uint64_t seed, Question& question);

// Losses of `valid` by the regression alone, for each penalty, descending.
LinearTrials LinearLosses(const QuestionRows& train, const QuestionRows& valid, const RidgeFactor* factor,
                          std::span<const double> penalties, Logit marginal);

}  // namespace dtf
