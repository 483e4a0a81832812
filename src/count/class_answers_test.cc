#include "count/class_answers.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "count/aligned_buffer.h"
#include "count/network_kernels.h"
#include "count/target_test_util.h"

namespace dtf {
namespace {

constexpr std::size_t kClasses = 64;
constexpr std::size_t kQuestions = kFloatLanes;

// Answers to some of the questions.
std::vector<RowAnswer> RandomAnswers(std::mt19937_64& random) {
  std::vector<RowAnswer> answers;
  for (std::uint32_t q = 0; q < kQuestions; ++q) {
    if (random() % 3 > 0) answers.push_back({q, random() % 2 == 0});
  }
  return answers;
}

// −ln of the classes' mean probability of the answers, by the definition.
double NatsOf(const std::vector<RowAnswer>& answers, const std::vector<double>& logits,
              const std::vector<double>& shifts) {
  double mean = 0;
  for (std::size_t c = 0; c < kClasses; ++c) {
    double probability = 1;
    for (const RowAnswer& answer : answers) {
      const double logit = logits[answer.question * kClasses + c] + shifts[answer.question];
      probability /= 1 + std::exp(answer.yes ? -logit : logit);
    }
    mean += probability / kClasses;
  }
  return -std::log(mean);
}

struct Gradients {
  std::vector<float> by_logits;
  std::vector<float> by_shifts;  // of the answered questions

  bool operator==(const Gradients&) const = default;
};

Gradients GradientsOf(const std::vector<RowAnswer>& answers, const std::vector<double>& at,
                      const std::vector<double>& shifts) {
  AlignedBuffer<float> numbers;
  const std::span<float> logits(numbers.Resize(3 * at.size() + kQuestions + (kQuestions + 1) * kClasses), at.size());
  const std::span<float> odds(logits.data() + at.size(), at.size());
  const std::span<float> gradient(odds.data() + at.size(), at.size());
  const std::span<float> shift_odds(gradient.data() + at.size(), kQuestions);
  const std::span<float> scratch(shift_odds.data() + kQuestions, (answers.size() + 1) * kClasses);
  std::ranges::transform(at, logits.begin(), [](double logit) { return static_cast<float>(logit); });
  FindOdds(logits, odds);
  FindOdds(std::vector<float>(shifts.begin(), shifts.end()), shift_odds);
  std::ranges::fill(gradient, 0.0f);
  Gradients found;
  found.by_shifts.resize(answers.size());
  AddAnswers(answers, {logits, odds, kClasses}, shift_odds, scratch, gradient, found.by_shifts);
  found.by_logits.assign(gradient.begin(), gradient.end());
  return found;
}

TEST(ClassAnswers, GiveTheGradientOfTheLikelihood) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (const double spread : {0.1, 1.0, 4.0}) {
    const std::vector<RowAnswer> answers = RandomAnswers(random);
    std::vector<double> logits(kQuestions * kClasses);
    for (double& logit : logits) logit = static_cast<float>(spread * normal(random));
    std::vector<double> shifts(kQuestions);
    for (double& shift : shifts) shift = static_cast<float>(spread * normal(random));
    const Gradients found = GradientsOf(answers, logits, shifts);
    OnEachTarget([&] { EXPECT_EQ(GradientsOf(answers, logits, shifts), found); });
    constexpr double kStep = 1e-4;
    const auto slope = [&](double& number) {
      const double before = number;
      number = before + kStep;
      const double more = NatsOf(answers, logits, shifts);
      number = before - kStep;
      const double less = NatsOf(answers, logits, shifts);
      number = before;
      return (more - less) / (2 * kStep);
    };
    for (std::size_t l = 0; l < logits.size(); l += 7) EXPECT_NEAR(found.by_logits[l], slope(logits[l]), 1e-4) << l;
    for (std::size_t a = 0; a < answers.size(); ++a) {
      EXPECT_NEAR(found.by_shifts[a], slope(shifts[answers[a].question]), 1e-4) << a;
    }
  }
}

// Whatever the logits are: no class is left without a number, and a row without answers says nothing.
TEST(ClassAnswers, StayFinite) {
  std::mt19937_64 random(2);
  const std::vector<RowAnswer> answers = RandomAnswers(random);
  for (const double size : {20.0, 60.0, 1e6}) {
    std::vector<double> logits(kQuestions * kClasses);
    for (double& logit : logits) logit = random() % 2 == 0 ? size : -size;
    for (const double shift : {-size, size}) {
      const std::vector<double> shifts(kQuestions, shift);
      for (const float slope : GradientsOf(answers, logits, shifts).by_logits) EXPECT_LE(std::abs(slope), 1);
      for (const float slope : GradientsOf(answers, logits, shifts).by_shifts) EXPECT_LE(std::abs(slope), 1.001f);
      for (const float slope : GradientsOf({}, logits, shifts).by_logits) EXPECT_EQ(slope, 0);
    }
  }
}

}  // namespace
}  // namespace dtf
