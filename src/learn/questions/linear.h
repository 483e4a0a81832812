// Ridge logistic regression of a question on the tests before it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "learn/questions/boosted.h"
#include "learn/questions/question_rows.h"
#include "tree/logit_tree.h"

namespace dtf {

// XᵀWX + λI, X the centred tests, as what gradients are divided by.
class RidgeMetric {
 public:
  explicit RidgeMetric(double lambda) : lambda_(lambda) {}
  virtual ~RidgeMetric() = default;

  double lambda() const { return lambda_; }
  // Solves for the first values.size() tests, in place.
  virtual void Solve(std::span<double> values) const = 0;

 private:
  double lambda_;
};

// The Cholesky factor of XᵀWX + λI, X the centred tests of an order: its leading part serves each prefix of the order.
// Memory: 8 B · tests²; time: tests³ / 3.
class RidgeFactor final : public RidgeMetric {
 public:
  RidgeFactor(PlaneMatrix tests, std::span<const std::uint32_t> weights, double unit, std::size_t rows, double lambda,
              int threads);
  // Of a question's own rows.
  RidgeFactor(const QuestionRows& rows, double lambda)
      : RidgeFactor(rows.tests(), rows.weights(), rows.unit(), rows.rows(), lambda, 1) {}

  void Solve(std::span<double> values) const override;

 private:
  std::size_t tests_;
  std::vector<double> factor_;  // lower, row by row
};

struct LinearFit {
  Logit bias = 0;
  std::vector<LogitTerm> terms;  // one a test; none when the marginal judges best
};

// Maximises the likelihood less ½ λ p(1 - p) |w|², p the marginal, by `steps` accelerated gradient steps in this
// `metric`; without a step it is the marginal. `logits` are overwritten with the fit's; those of `valid` if it is
// given.
LinearFit FitLinear(const QuestionRows& train, const QuestionRows* valid, const RidgeMetric& metric, int steps,
                    Logit marginal, QuestionLogits& logits);

// Loss of `valid` by the fits of 0, 1, …, most_steps steps.
std::vector<double> LinearLosses(const QuestionRows& train, const QuestionRows& valid, const RidgeMetric& metric,
                                 int most_steps, Logit marginal);

}  // namespace dtf
