#include "learn/questions/linear.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/logarithm.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "count/logistic.h"
#include "count/logit_kernels.h"
#include "learn/questions/cholesky.h"
#include "learn/questions/logits.h"

namespace dtf {
namespace {

constexpr double kMostBias = 32;   // nats
constexpr double kMostWeight = 8;  // of a term

// Bits of the gradients that are summed: finer than boosting needs, for these sums are used as they are.
constexpr QuantisedBits kGradientBits = {.gradient = 14, .hessian = 2};

PlanePanels Pack(PlaneMatrix tests) {
  PlanePanels panels;
  panels.Reset(tests.planes, 1, tests.words);
  for (std::size_t panel = 0; panel < panels.panels(); ++panel) {
    const std::uint64_t* planes[PlanePanels::kLanes] = {};
    const std::size_t first = panel * PlanePanels::kLanes;
    for (std::size_t i = 0; i < std::min(PlanePanels::kLanes, tests.planes - first); ++i) {
      planes[i] = tests[first + i];
    }
    panels.Pack(panel, 0, planes, nullptr);
  }
  return panels;
}

}  // namespace

RidgeFactor::RidgeFactor(PlaneMatrix tests, std::span<const std::uint32_t> weights, double unit, std::size_t rows,
                         double lambda, int threads)
    : RidgeMetric(lambda), tests_(tests.planes), factor_(tests.planes * tests.planes) {
  const std::size_t words = tests.words;
  std::uint32_t most = 1;
  std::uint64_t total = rows;
  if (!weights.empty()) {
    most = *std::max_element(weights.begin(), weights.end());
    total = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  }
  std::vector<std::uint64_t> weight_planes;
  const int bits = weights.empty() ? 0 : static_cast<int>(std::bit_width(most));
  weight_planes.resize(static_cast<std::size_t>(bits) * words);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    for (int b = 0; b < bits; ++b) {
      weight_planes[static_cast<std::size_t>(b) * words + i / 64] |= std::uint64_t{weights[i] >> b & 1} << (i % 64);
    }
  }
  // Σ weight over the rows that pass both tests.
  const PlanePanels panels = Pack(tests);
  const std::size_t stride = panels.panels() * PlanePanels::kLanes;
  ParallelFor(threads, tests_, [&](std::size_t t) {
    std::vector<std::uint64_t> planes(static_cast<std::size_t>(std::max(bits, 1)) * words);
    for (std::size_t i = 0; i < planes.size(); ++i) {
      planes[i] = tests[t][i % words] & (bits == 0 ? ~std::uint64_t{0} : weight_planes[i]);
    }
    std::vector<Count> counts(stride * planes.size() / std::max<std::size_t>(words, 1));
    std::vector<std::uint32_t> numbers(counts.size() / std::max<std::size_t>(stride, 1));
    std::iota(numbers.begin(), numbers.end(), std::uint32_t{0});
    CountPlanes(panels, {planes.data(), numbers.size(), words}, {counts.data(), stride, numbers.data(), 0});
    for (std::size_t b = 0; b < numbers.size(); ++b) {
      for (std::size_t s = 0; s <= t; ++s) {
        factor_[t * tests_ + s] += static_cast<double>(counts[b * stride + s]) * static_cast<double>(1u << b);
      }
    }
  });
  // Centred, in rows, with λ on the diagonal.
  std::vector<double> sums(tests_);
  for (std::size_t t = 0; t < tests_; ++t) sums[t] = factor_[t * tests_ + t];
  for (std::size_t t = 0; t < tests_; ++t) {
    for (std::size_t s = 0; s <= t; ++s) {
      double& value = factor_[t * tests_ + s];
      value = unit * (value - sums[t] * sums[s] / static_cast<double>(total)) + (s == t ? lambda : 0);
    }
  }
  FactoriseInPlace(factor_, tests_);
}

void RidgeFactor::Solve(std::span<double> values) const { SolveWithFactor(factor_, tests_, values); }

namespace {

// One regression in progress. Weights are those of centred tests; the bias is that of the centre.
class Regression {
 public:
  struct Point {
    double bias = 0;
    std::vector<double> weights;
  };

  Regression(const QuestionRows& train, const RidgeMetric& metric)
      : train_(train), metric_(metric), panels_(Pack(train.tests())), numbers_(kGradientBits.gradient) {
    const std::size_t tests = train.tests().planes;
    std::iota(numbers_.begin(), numbers_.end(), std::uint32_t{0});
    counts_.resize(panels_.panels() * PlanePanels::kLanes * numbers_.size());
    const double p = (train.total_yes() + 0.5) / (train.total() + 1);
    variance_ = p * (1 - p);
    gradients_.resize(64 * train.words());
    hessians_.resize(64 * train.words());
    planes_.resize(static_cast<std::size_t>(kGradientBits.planes()) * train.words());
    if (!train.weights().empty()) {
      shares_.resize(64 * train.words());
      for (std::size_t i = 0; i < train.rows(); ++i) {
        shares_[i] = static_cast<float>(train.weights()[i]) / static_cast<float>(train.most_weight());
      }
    }
    means_ = SumsOfTests(train.all().data(), 1);
    double total = 0;
    if (!train.weights().empty()) {
      const int bits = static_cast<int>(std::bit_width(train.most_weight()));
      std::fill(means_.begin(), means_.end(), 0);
      std::vector<std::uint64_t> plane(train.words());
      for (int b = 0; b < bits; ++b) {
        std::fill(plane.begin(), plane.end(), 0);
        for (std::size_t i = 0; i < train.rows(); ++i) {
          plane[i / 64] |= std::uint64_t{train.weights()[i] >> b & 1} << (i % 64);
        }
        const auto sums = SumsOfTests(plane.data(), 1);
        for (std::size_t t = 0; t < tests; ++t) means_[t] += sums[t] * static_cast<double>(1u << b);
      }
    }
    total = train.total() / train.unit();
    for (double& mean : means_) mean /= total;
  }

  double variance() const { return variance_; }

  LinearFit Finish(const Point& point) const {
    LinearFit fit;
    double bias = point.bias;
    for (std::size_t t = 0; t < point.weights.size(); ++t) {
      const Logit value = ToLogit(point.weights[t], kMostWeight);
      bias -= point.weights[t] * means_[t];
      if (value != 0) fit.terms.push_back({static_cast<std::uint32_t>(t), value});
    }
    fit.bias = ToLogit(bias, kMostBias);
    return fit;
  }

  static void SetLogits(const LinearFit& fit, PlaneMatrix tests, std::vector<Logit>& logits) {
    std::fill(logits.begin(), logits.end(), fit.bias);
    AddTerms(fit.terms, tests, logits);
  }

  // What is maximised, up to a constant.
  double Objective(const Point& point, std::span<const Logit> logits) const {
    double squares = 0;
    for (const double weight : point.weights) squares += weight * weight;
    return -train_.Loss(logits) - 0.5 * metric_.lambda() * variance_ * squares;
  }

  // The gradient at `point`, whose logits these are, times the inverse of the metric.
  Point Direction(const Point& point, std::span<const Logit> logits) {
    const DerivativeBounds bounds =
        FindDerivatives(logits, train_.yes(), shares_, train_.rows(), {gradients_, hessians_});
    QuantiseDerivatives(gradients_, hessians_, bounds, kGradientBits, 0, planes_.data(), train_.words());
    const double scale = train_.unit() * train_.most_weight() * 0x1p-21;
    const double quantised = scale * bounds.gradient / ((1 << (kGradientBits.gradient - 1)) - 1);
    std::int64_t total = 0;
    for (const std::int32_t gradient : gradients_) total += gradient;
    Point direction;
    direction.bias = scale * static_cast<double>(total) / (variance_ * train_.total());
    direction.weights = SumsOfTests(planes_.data(), kGradientBits.gradient);
    for (std::size_t t = 0; t < direction.weights.size(); ++t) {
      direction.weights[t] = direction.weights[t] * quantised - means_[t] * scale * static_cast<double>(total) -
                             metric_.lambda() * variance_ * point.weights[t];
    }
    metric_.Solve(direction.weights);
    for (double& weight : direction.weights) weight /= variance_;
    return direction;
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

Regression::Point Moved(const Regression::Point& from, double step, const Regression::Point& direction) {
  Regression::Point to = from;
  to.bias += step * direction.bias;
  for (std::size_t t = 0; t < to.weights.size(); ++t) to.weights[t] += step * direction.weights[t];
  return to;
}

// to + share · (to - from)
Regression::Point Beyond(const Regression::Point& from, const Regression::Point& to, double share) {
  Regression::Point beyond = to;
  beyond.bias += share * (to.bias - from.bias);
  for (std::size_t t = 0; t < to.weights.size(); ++t) {
    beyond.weights[t] += share * (to.weights[t] - from.weights[t]);
  }
  return beyond;
}

// Nesterov's accelerated ascent from the marginal.
class Ascent {
 public:
  // `logits`: room for the rows'; overwritten.
  Ascent(const QuestionRows& train, const RidgeMetric& metric, Logit marginal, std::vector<Logit>& logits)
      : train_(train), marginal_{.bias = marginal, .terms = {}}, logits_(logits) {
    const std::size_t tests = train.tests().planes;
    if (tests == 0 || train.total_yes() < 1 || train.total_yes() > train.total() - 1) return;
    regression_.emplace(train, metric);
    here_ = {.bias = kLogitUnit * marginal_.bias, .weights = std::vector<double>(tests)};
    ahead_ = here_;
  }

  void Step() {
    if (!regression_ || step_ < kLeastStep) return;
    ThrowIfStopped();
    Regression::SetLogits(regression_->Finish(ahead_), train_.tests(), logits_);
    const double objective = regression_->Objective(ahead_, logits_);
    if (objective < last_objective_ - 1e-7 * std::abs(last_objective_)) {  // too far: again from here, with less
      step_ *= 0.6;
      momentum_ = 1;
      ahead_ = here_;
      last_objective_ = -std::numeric_limits<double>::infinity();
      return;
    }
    last_objective_ = objective;
    const Regression::Point next = Moved(ahead_, step_, regression_->Direction(ahead_, logits_));
    const double next_momentum = (1 + std::sqrt(1 + 4 * momentum_ * momentum_)) / 2;
    ahead_ = Beyond(here_, next, (momentum_ - 1) / next_momentum);
    momentum_ = next_momentum;
    here_ = next;
    has_moved_ = true;
  }

  LinearFit Here() const { return has_moved_ ? regression_->Finish(here_) : marginal_; }

 private:
  static constexpr double kLeastStep = 0.05;

  const QuestionRows& train_;
  LinearFit marginal_;
  std::vector<Logit>& logits_;
  std::optional<Regression> regression_;
  Regression::Point here_;
  Regression::Point ahead_;
  double last_objective_ = -std::numeric_limits<double>::infinity();
  double step_ = 1;
  double momentum_ = 1;
  bool has_moved_ = false;
};

}  // namespace

LinearFit FitLinear(const QuestionRows& train, const QuestionRows* valid, const RidgeMetric& metric, int steps,
                    Logit marginal, QuestionLogits& logits) {
  Ascent ascent(train, metric, marginal, logits.train);
  for (int step = 0; step < steps; ++step) ascent.Step();
  LinearFit fit = ascent.Here();
  Regression::SetLogits(fit, train.tests(), logits.train);
  if (valid != nullptr) Regression::SetLogits(fit, valid->tests(), logits.valid);
  return fit;
}

std::vector<double> LinearLosses(const QuestionRows& train, const QuestionRows& valid, const RidgeMetric& metric,
                                 int most_steps, Logit marginal) {
  std::vector<Logit> logits(64 * train.words());
  std::vector<Logit> judged(64 * valid.words());
  Ascent ascent(train, metric, marginal, logits);
  std::vector<double> losses;
  for (int step = 0; step <= most_steps; ++step) {
    if (step > 0) ascent.Step();
    Regression::SetLogits(ascent.Here(), valid.tests(), judged);
    losses.push_back(valid.Loss(judged));
  }
  return losses;
}

}  // namespace dtf
