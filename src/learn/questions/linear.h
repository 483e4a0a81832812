// Ridge logistic regression of a question's answer on tests of the columns before.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "learn/questions/boosted.h"
#include "learn/questions/question_rows.h"
#include "learn/questions/ridge_metric.h"
#include "tree/logit_tree.h"

namespace dtf {

struct LinearFit {
  Logit bias = 0;
  std::vector<LogitTerm> terms;  // of the tests whose weight does not round to 0
  int evaluations = 0;           // of the objective or its gradient, over all rows
};

// Maximises ln likelihood − ½ penalty |w|², by quasi-Newton steps from the marginal, the first one in this `metric`.
// penalty: 1 / the prior variance of a weight, in nats⁻². `logits` are overwritten with the fit's, those of `valid` if
// it is given.
LinearFit FitLinear(const QuestionRows& train, const QuestionRows* valid, const RidgeMetric& metric, double penalty,
                    Logit marginal, QuestionLogits& logits);

struct LinearTrials {
  std::vector<double> losses;  // by penalty, nats
  int evaluations = 0;         // as LinearFit has them, of all fits
};

// Losses of `valid` by the fit of each of the penalties, which descend. Each fit begins where the one before ended.
LinearTrials LinearLosses(const QuestionRows& train, const QuestionRows& valid, const RidgeMetric& metric,
                          std::span<const double> penalties, Logit marginal);

}  // namespace dtf
