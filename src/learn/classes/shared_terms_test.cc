#include "learn/classes/shared_terms.h"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace dtf {
namespace {

constexpr std::size_t kQuestions = 5;
const std::vector<std::size_t> kFirst = {1, 1, 3, 5};  // the last test is of the last column
const std::vector<float> kMeans = {0.5f, 0.25f, 0.75f, 0.5f};

// Terms that some steps have moved.
SharedTerms SomeTerms() {
  SharedTerms terms(kFirst, kMeans, kQuestions);
  std::mt19937_64 random(1);
  for (int step = 0; step < 30; ++step) {
    std::vector<float> to_shifts;
    for (std::size_t q = 0; q < kQuestions; ++q) to_shifts.push_back(static_cast<float>(random() % 100) / 50 - 1);
    terms.AddGradient(random() % 2 == 0 ? std::vector<std::uint32_t>{0, 2, 3} : std::vector<std::uint32_t>{1},
                      to_shifts);
    terms.Move({.rate = 0.1f}, 0);
  }
  return terms;
}

TEST(SharedTerms, AreOfLaterColumnsAndAddUp) {
  SharedTerms terms = SomeTerms();
  const std::vector<std::vector<std::uint32_t>> rows = {{}, {0}, {1, 3}, {0, 1, 2, 3}};
  for (const auto& passed : rows) {
    const auto shifts = terms.FindShifts(passed);
    for (std::size_t q = 0; q < kQuestions; ++q) {
      float expected = terms.offsets()[q];
      for (const std::uint32_t test : passed) expected += q < kFirst[test] ? 0 : terms.At(test, q);
      EXPECT_NEAR(shifts[q], expected, 1e-6);
    }
  }
  for (std::size_t test = 0; test < kFirst.size(); ++test) {
    for (std::size_t q = 0; q < kQuestions; ++q) EXPECT_EQ(terms.At(test, q) != 0, q >= kFirst[test]) << test << q;
  }
}

// Of rows that pass each test as often as its mean says.
TEST(SharedTerms, AddNothingInTheMean) {
  SharedTerms terms = SomeTerms();
  for (std::size_t q = 0; q < kQuestions; ++q) {
    double mean = terms.offsets()[q];
    for (std::size_t test = 0; test < kFirst.size(); ++test) {
      mean += static_cast<double>(kMeans[test]) * static_cast<double>(terms.At(test, q));
    }
    EXPECT_NEAR(mean, 0, 1e-6);
  }
}

// What all rows say alike is no reason for a term, and a penalty takes back what they have said.
TEST(SharedTerms, GoBackToNothing) {
  SharedTerms terms(kFirst, kMeans, kQuestions);
  terms.AddGradient(std::vector<std::uint32_t>{0, 2, 3}, std::vector<float>(kQuestions, 1));
  terms.AddGradient(std::vector<std::uint32_t>{1, 2}, std::vector<float>(kQuestions, 1));
  terms.AddGradient(std::vector<std::uint32_t>{2, 3}, std::vector<float>(kQuestions, 1));
  terms.AddGradient(std::vector<std::uint32_t>{0}, std::vector<float>(kQuestions, 1));
  terms.Move({.rate = 1}, 0);
  for (std::size_t test = 0; test < kFirst.size(); ++test) EXPECT_EQ(terms.At(test, kQuestions - 1), 0) << test;

  SharedTerms moved = SomeTerms();
  for (int step = 0; step < 2000; ++step) moved.Move({.rate = 0.01f}, 1);
  for (std::size_t test = 0; test < kFirst.size(); ++test) {
    for (std::size_t q = 0; q < kQuestions; ++q) EXPECT_LT(std::abs(moved.At(test, q)), 0.1f);
  }
}

}  // namespace
}  // namespace dtf
