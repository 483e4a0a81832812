#include "learn/questions/linear.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/stop.h"
#include "count/logistic.h"
#include "count/logit_kernels.h"
#include "learn/questions/logits.h"
#include "learn/questions/quasi_newton.h"
#include "learn/questions/vectors.h"

namespace dtf {
namespace {

constexpr double kMostBias = 32;   // nats
constexpr double kMostWeight = 8;  // of a term

// Bits of quantised gradients: more than boosting needs, as their sums are the regression's gradient itself.
constexpr QuantisedBits kGradientBits = {.gradient = 14, .hessian = 2};

// A regression's objective. A point is the weights of the centred tests, and last the bias at the centre.
class Regression {
 public:
  using Point = std::vector<double>;

  Regression(const QuestionRows& train, const RidgeMetric& metric)
      : train_(train),
        metric_(metric),
        panels_(PackPlanes(train.tests())),
        numbers_(kGradientBits.gradient),
        means_(train.tests().planes),
        shares_(train.WeightShares()) {
    std::iota(numbers_.begin(), numbers_.end(), std::uint32_t{0});
    counts_.resize(panels_.panels() * PlanePanels::kLanes * numbers_.size());
    const double p = (train.total_yes() + 0.5) / (train.total() + 1);
    variance_ = p * (1 - p);
    gradients_.resize(64 * train.words());
    hessians_.resize(64 * train.words());
    planes_.resize(static_cast<std::size_t>(kGradientBits.planes()) * train.words());
    const std::vector<std::uint64_t> weights = train.WeightPlanes();
    for (std::size_t b = 0; b * train.words() < weights.size(); ++b) {
      const auto sums = SumsOfTests(weights.data() + b * train.words(), 1);
      for (std::size_t t = 0; t < means_.size(); ++t) means_[t] += sums[t] * static_cast<double>(1u << b);
    }
    const double total = train.total() / train.unit();
    for (double& mean : means_) mean /= total;
  }

  LinearFit FitAt(const Point& point) const {
    LinearFit fit;
    double bias = point.back();
    for (std::size_t t = 0; t < means_.size(); ++t) {
      const Logit value = ToLogit(point[t], kMostWeight);
      bias -= point[t] * means_[t];
      if (value != 0) fit.terms.push_back({static_cast<std::uint32_t>(t), value});
    }
    fit.bias = ToLogit(bias, kMostBias);
    return fit;
  }

  static void SetLogits(const LinearFit& fit, PlaneMatrix tests, std::vector<Logit>& logits) {
    std::fill(logits.begin(), logits.end(), fit.bias);
    AddTerms(fit.terms, tests, logits);
  }

  // What is minimised, at a point whose logits these are.
  double Objective(const Point& point, double penalty, std::span<const Logit> logits) const {
    const std::span<const double> weights = std::span(point).first(means_.size());
    return train_.Loss(logits) + 0.5 * penalty * DotProduct(weights, weights);
  }

  Point Gradient(const Point& point, double penalty, std::span<const Logit> logits) {
    const DerivativeBounds bounds =
        FindDerivatives(logits, train_.yes(), shares_, train_.rows(), {gradients_, hessians_});
    // The same random rounding each time, so that gradients of two points differ because the points do.
    QuantiseDerivatives(gradients_, hessians_, bounds, kGradientBits, 0, planes_.data(), train_.words());
    const double scale = train_.unit() * train_.most_weight() * 0x1p-21;
    const double quantised = scale * bounds.gradient / ((1 << (kGradientBits.gradient - 1)) - 1);
    std::int64_t ascent_of_bias = 0;
    for (const std::int32_t ascent : gradients_) ascent_of_bias += ascent;
    const double of_bias = scale * static_cast<double>(ascent_of_bias);
    Point gradient = SumsOfTests(planes_.data(), kGradientBits.gradient);
    for (std::size_t t = 0; t < gradient.size(); ++t) {
      gradient[t] = penalty * point[t] - (gradient[t] * quantised - means_[t] * of_bias);
    }
    gradient.push_back(-of_bias);
    return gradient;
  }

  // By the metric and the marginal's variance.
  void DivideByCurvature(std::span<double> gradient) const {
    metric_.Solve(gradient.first(means_.size()));
    for (double& value : gradient) value /= variance_;
    gradient.back() /= train_.total();
  }

 private:
  // Over the rows that pass each test, the sum of the number whose `bits` planes these are: of several bits, two's
  // complement.
  std::vector<double> SumsOfTests(const std::uint64_t* planes, int bits) {
    const std::size_t stride = panels_.panels() * PlanePanels::kLanes;
    CountPlanes(panels_, {planes, static_cast<std::size_t>(bits), train_.words()},
                {counts_.data(), stride, numbers_.data(), 0});
    std::vector<double> sums(train_.tests().planes);
    for (int b = 0; b < bits; ++b) {
      const double worth = static_cast<double>(1 << b) * (bits > 1 && b == bits - 1 ? -1 : 1);
      const Count* counts = counts_.data() + static_cast<std::size_t>(b) * stride;
      for (std::size_t t = 0; t < sums.size(); ++t) sums[t] += worth * static_cast<double>(counts[t]);
    }
    return sums;
  }

  const QuestionRows& train_;
  const RidgeMetric& metric_;
  PlanePanels panels_;
  std::vector<std::uint32_t> numbers_;
  std::vector<Count> counts_;
  double variance_;
  std::vector<double> means_;  // of each test
  std::vector<float> shares_;
  std::vector<std::int32_t> gradients_;
  std::vector<std::int32_t> hessians_;
  std::vector<std::uint64_t> planes_;
};

// Quasi-Newton steps from the marginal, each shortened until it gains enough.
class Descent {
 public:
  // `logits`: room for the rows'; overwritten.
  Descent(const QuestionRows& train, const RidgeMetric& metric, Logit marginal, std::vector<Logit>& logits)
      : train_(train), marginal_{.bias = marginal, .terms = {}}, logits_(logits) {
    const std::size_t tests = train.tests().planes;
    if (tests == 0 || train.total_yes() < 1 || train.total_yes() > train.total() - 1) return;
    regression_.emplace(train, metric);
    here_.resize(tests);
    here_.push_back(kLogitUnit * marginal);
  }

  // Descends to the minimum under this penalty, from the present point.
  void Run(double penalty) {
    if (!regression_) return;
    penalty_ = penalty;
    objective_ = ObjectiveAt(here_);
    gradient_ = GradientAt(here_);
    curvature_.Forget();
    for (int step = 0; step < kMostSteps; ++step) {
      ThrowIfStopped();
      if (Step()) continue;
      if (!curvature_.remembers()) break;
      curvature_.Forget();  // what it remembers may be out of date
      if (!Step()) break;
    }
  }

  LinearFit Here() const {
    LinearFit fit = has_moved_ ? regression_->FitAt(here_) : marginal_;
    fit.evaluations = evaluations_;
    return fit;
  }

 private:
  static constexpr int kMostSteps = 60;
  static constexpr double kLeastGain = 1e-6;  // of the objective
  static constexpr double kShareOfSlope = 1e-4;
  static constexpr int kMostTries = 10;

  double ObjectiveAt(const Regression::Point& point) {
    Regression::SetLogits(regression_->FitAt(point), train_.tests(), logits_);
    ++evaluations_;
    return regression_->Objective(point, penalty_, logits_);
  }

  // REQUIRES: the point whose objective was found last.
  Regression::Point GradientAt(const Regression::Point& point) {
    ++evaluations_;
    return regression_->Gradient(point, penalty_, logits_);
  }

  // Takes a step if one gains enough; returns whether it did.
  bool Step() {
    const std::vector<double> direction = curvature_.Times(gradient_);
    const double slope = DotProduct(gradient_, direction);
    double share = 1;
    for (int tries = 0; tries < kMostTries && share * slope > kLeastGain * objective_; ++tries) {
      Regression::Point next = here_;
      AddMultiple(-share, direction, next);
      const double objective = ObjectiveAt(next);
      const double gain = objective_ - objective;
      if (gain >= kShareOfSlope * share * slope) {
        MoveTo(std::move(next), objective);
        return true;
      }
      // The minimum of the parabola through both ends and the slope.
      share *= std::clamp(0.5 * share * slope / (share * slope - gain), 0.1, 0.5);
    }
    return false;
  }

  void MoveTo(Regression::Point next, double objective) {
    Regression::Point gradient = GradientAt(next);
    std::vector<double> step = next;
    AddMultiple(-1, here_, step);
    std::vector<double> change = gradient;
    AddMultiple(-1, gradient_, change);
    curvature_.Add(std::move(step), std::move(change));
    here_ = std::move(next);
    gradient_ = std::move(gradient);
    objective_ = objective;
    has_moved_ = true;
  }

  const QuestionRows& train_;
  LinearFit marginal_;
  std::vector<Logit>& logits_;
  std::optional<Regression> regression_;
  QuasiNewton curvature_{[this](std::span<double> values) { regression_->DivideByCurvature(values); }};
  double penalty_ = 0;
  Regression::Point here_;
  Regression::Point gradient_;
  double objective_ = 0;
  bool has_moved_ = false;
  int evaluations_ = 0;
};

}  // namespace

LinearFit FitLinear(const QuestionRows& train, const QuestionRows* valid, const RidgeMetric& metric, double penalty,
                    Logit marginal, QuestionLogits& logits) {
  Descent descent(train, metric, marginal, logits.train);
  descent.Run(penalty);
  LinearFit fit = descent.Here();
  Regression::SetLogits(fit, train.tests(), logits.train);
  if (valid != nullptr) Regression::SetLogits(fit, valid->tests(), logits.valid);
  return fit;
}

LinearTrials LinearLosses(const QuestionRows& train, const QuestionRows& valid, const RidgeMetric& metric,
                          std::span<const double> penalties, Logit marginal) {
  std::vector<Logit> logits(64 * train.words());
  std::vector<Logit> judged(64 * valid.words());
  Descent descent(train, metric, marginal, logits);
  LinearTrials trials;
  for (const double penalty : penalties) {
    descent.Run(penalty);
    const LinearFit fit = descent.Here();
    Regression::SetLogits(fit, valid.tests(), judged);
    trials.losses.push_back(valid.Loss(judged));
    trials.evaluations = fit.evaluations;
  }
  return trials;
}

}  // namespace dtf
