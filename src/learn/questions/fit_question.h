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

// How questions are learnt. The start is the marginal, or the ridge regression if `ridge`; moved by `tree_share` of the
// way to the averaged tree. A start that the rows bring with them (QuestionRows::start) takes its place, and is not
// stored in the question.
struct Learner {
  double tree_share = 0;
  bool ridge = false;
  std::optional<BoostOptions> boost;  // none: the start is all
};

// How many boosted trees a question has learnt, and at what cost.
struct QuestionFit {
  int evaluations = 0;                             // LinearFit::evaluations of the regression
  int boosted = 0;                                 // trees
  int rounds = 0;                                  // of boosting, with those that gave no tree
  std::vector<std::array<double, 2>> losses = {};  // as BoostedTrees has them
};

// Keeps the first `rounds` boosted trees, or all when there are fewer.
void TrimTrees(int rounds, QuestionFit& fit, Question& question);

// Learns a question, which comes with the marginal as its bias (MarginalLogit): sets bias, terms and trees, whose tests
// are positions in the rows' tests. `factor`: of the same rows and kRidgeMetricRows; null: one is made if needed.
// boost_rounds: how many; none: as many as lower the loss of `valid` (Boost), and none without `valid`.
QuestionFit FitQuestion(const QuestionRows& train, const QuestionRows* valid, const Learner& learner,
                        const RidgeFactor* factor, double ridge_penalty, std::optional<int> boost_rounds,
                        std::uint64_t seed, Question& question);

// Losses of `valid` by the regression alone, for each of the penalties, which descend.
LinearTrials LinearLosses(const QuestionRows& train, const QuestionRows& valid, const RidgeFactor* factor,
                          std::span<const double> penalties, Logit marginal);

}  // namespace dtf
