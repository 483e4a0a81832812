#include "count/class_kernels.h"

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
const std::vector<std::size_t> kLogits = {2, 1, 0, 4};  // of each column: its categories but the first one

std::size_t BeginOf(std::size_t column) {
  std::size_t begin = 0;
  for (std::size_t j = 0; j < column; ++j) begin += kLogits[j];
  return begin;
}

// A row's category of each column; 0 is the first one.
using Row = std::vector<std::size_t>;

std::vector<Row> RandomRows(std::size_t count, std::mt19937_64& random) {
  std::vector<Row> rows(count);
  for (Row& row : rows) {
    for (const std::size_t logits : kLogits) row.push_back(random() % (logits + 1));
  }
  return rows;
}

// −Σ ln of the classes' mean probability, by the definition.
double NatsOf(const std::vector<Row>& rows, const std::vector<double>& logits) {
  double nats = 0;
  for (const Row& row : rows) {
    double mean = 0;
    for (std::size_t c = 0; c < kClasses; ++c) {
      double probability = 1;
      for (std::size_t j = 0; j < kLogits.size(); ++j) {
        double sum = 1;
        double own = 1;
        for (std::size_t l = 0; l < kLogits[j]; ++l) {
          const double odds = std::exp(logits[(BeginOf(j) + l) * kClasses + c]);
          sum += odds;
          if (l + 1 == row[j]) own = odds;
        }
        probability *= own / sum;
      }
      mean += probability / kClasses;
    }
    nats -= std::log(mean);
  }
  return nats;
}

std::vector<float> GradientOf(const std::vector<Row>& rows, const std::vector<double>& at) {
  AlignedBuffer<float> numbers;
  float* logits = numbers.Resize(2 * at.size() + 3 * kClasses);
  float* gradient = logits + at.size();
  const std::span<float> first(gradient + at.size(), kClasses);
  const std::span<float> masses(first.data() + kClasses, kClasses);
  const std::span<float> scratch(masses.data() + kClasses, kClasses);
  std::ranges::transform(at, logits, [](double logit) { return static_cast<float>(logit); });
  std::fill_n(gradient, at.size() + 2 * kClasses, 0.0f);
  const auto of_column = [&](std::size_t j, float* all) {
    return std::span(all + BeginOf(j) * kClasses, kLogits[j] * kClasses);
  };
  for (std::size_t j = 0; j < kLogits.size(); ++j) AddFirstLogProbs(of_column(j, logits), first);
  for (const Row& row : rows) {
    std::vector<std::uint32_t> own;
    for (std::size_t j = 0; j < kLogits.size(); ++j) {
      if (row[j] > 0) own.push_back(static_cast<std::uint32_t>((BeginOf(j) + row[j] - 1) * kClasses));
    }
    AddRow(own, logits, first, gradient, masses, scratch);
  }
  for (std::size_t j = 0; j < kLogits.size(); ++j) FinishGradient(of_column(j, logits), masses, of_column(j, gradient));
  return {gradient, gradient + at.size()};
}

TEST(ClassKernels, GiveTheGradientOfTheLikelihood) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (const double spread : {0.1, 2.0, 30.0}) {
    const std::vector<Row> rows = RandomRows(40, random);
    std::vector<double> logits(BeginOf(kLogits.size()) * kClasses);
    for (double& logit : logits) logit = static_cast<float>(spread * normal(random));
    std::vector<float> first;
    OnEachTarget([&] {
      const std::vector<float> gradient = GradientOf(rows, logits);
      if (first.empty()) first = gradient;
      EXPECT_EQ(gradient, first);  // the same bytes
    });
    for (std::size_t l = 0; l < logits.size(); l += 7) {
      constexpr double kStep = 1e-4;
      std::vector<double> more = logits;
      std::vector<double> less = logits;
      more[l] += kStep;
      less[l] -= kStep;
      const double slope = (NatsOf(rows, more) - NatsOf(rows, less)) / (2 * kStep);
      EXPECT_NEAR(first[l], slope, 1e-4 * (1 + spread)) << l;
    }
  }
}

TEST(ClassKernels, FirstCategoriesHaveWhatTheOthersLeave) {
  std::mt19937_64 random(2);
  std::normal_distribution<float> normal;
  AlignedBuffer<float> numbers;
  const std::span<float> logits(numbers.Resize(4 * kClasses), 3 * kClasses);
  const std::span<float> log_probs(numbers.data() + logits.size(), kClasses);
  for (float& logit : logits) logit = 20 * normal(random);
  OnEachTarget([&] {
    std::ranges::fill(log_probs, -1.0f);
    AddFirstLogProbs(logits, log_probs);
    for (std::size_t c = 0; c < kClasses; ++c) {
      double sum = 1;
      for (std::size_t l = 0; l < 3; ++l) sum += std::exp(static_cast<double>(logits[l * kClasses + c]));
      EXPECT_NEAR(log_probs[c], -1 - std::log(sum), 1e-6 * (1 + std::log(sum)));
    }
  });
}

}  // namespace
}  // namespace dtf
