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

// λ of the metrics here: a test that hardly any row passes is not thought to be certain.
constexpr double kRidgeMetricRows = 100;

// XᵀWX + λI, X the centred tests, as what gradients are divided by.
class RidgeMetric {
 public:
  virtual ~RidgeMetric() = default;

  // Solves for the first values.size() tests, in place.
  virtual void Solve(std::span<double> values) const = 0;
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

// Maximises the likelihood less ½ penalty |w|², by quasi-Newton steps from the marginal, the first one in this
// `metric`. penalty: 1 / the variance of a weight before anything is known, in nats⁻². `logits` are overwritten with
// the fit's; those of `valid` if it is given.
LinearFit FitLinear(const QuestionRows& train, const QuestionRows* valid, const RidgeMetric& metric, double penalty,
                    Logit marginal, QuestionLogits& logits);

// Loss of `valid` by the fit of each penalty, descending. Each begins where the one before ended.
std::vector<double> LinearLosses(const QuestionRows& train, const QuestionRows& valid, const RidgeMetric& metric,
                                 std::span<const double> penalties, Logit marginal);

}  // namespace dtf
