#include "learn/questions/marginals.h"

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "count/answers.h"

namespace dtf {
namespace {

// Rows of the categories at the positions before each.
std::vector<double> RowsBefore(const std::vector<std::uint64_t>& counts, const QuestionRanges& ranges) {
  std::vector<double> before(counts.size() + 1);
  for (std::size_t code = 0; code < counts.size(); ++code) {
    before[ranges.position[code] + 1] = static_cast<double>(counts[code]);
  }
  for (std::size_t p = 0; p < counts.size(); ++p) before[p + 1] += before[p];
  return before;
}

// -ln of the probability that the questions give a category.
double NatsOf(Code code, const std::vector<Question>& questions, const std::vector<Logit>& logits,
              const QuestionRanges& ranges) {
  double nats = 0;
  const std::uint32_t position = ranges.position[code];
  for (std::size_t q = 0; q < questions.size(); ++q) {
    if (position < ranges.first[q] || position >= ranges.last[q]) continue;
    nats += AnswerNats(position < ranges.middle[q] ? logits[q] : -logits[q]);
  }
  return nats;
}

// ln of the probability of the counted rows, one after the other, by the estimates of each question alone.
double LnEvidenceOf(const std::vector<std::uint64_t>& counts, const std::vector<Question>& questions,
                    const QuestionRanges& ranges) {
  const std::vector<double> before = RowsBefore(counts, ranges);
  double sum = 0;
  for (std::size_t q = 0; q < questions.size(); ++q) {
    const double yes = before[ranges.middle[q]] - before[ranges.first[q]];
    const double no = before[ranges.last[q]] - before[ranges.middle[q]];
    for (int y = 0; y < yes; ++y) sum += std::log((y + 0.5) / (y + 1));
    for (int n = 0; n < no; ++n) sum += std::log((n + 0.5) / (yes + n + 1));
  }
  return sum;
}

// An average by evidence, asked for one row after the other, loses to the better of the two what their prior says and
// no more: the probabilities of the rows multiply to the mean of the two evidences.
TEST(MarginalLogits, PredictRowAfterRowWhatTheMeanOfBothEvidencesSays) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 60; ++round) {
    const std::size_t size = 2 + random() % 6;
    std::vector<std::uint64_t> shape(size);
    for (std::uint64_t& count : shape) count = random() % 20;
    const std::vector<Question> questions =
        round % 2 == 0 ? HuffmanQuestions(shape) : BalancedQuestions(static_cast<Code>(size));
    const QuestionRanges ranges = FindRanges(questions);
    const bool is_even = round % 3 == 0;
    std::vector<std::uint64_t> counts(size);
    double nats = 0;
    const int rows = 1 + static_cast<int>(random() % 200);
    for (int row = 0; row < rows; ++row) {
      const auto code = static_cast<Code>(is_even ? random() % size : random() % (1 + random() % size));
      nats += NatsOf(code, questions, MarginalLogits(questions, ranges, RowsBefore(counts, ranges)), ranges);
      ++counts[code];
    }
    const double estimated = LnEvidenceOf(counts, questions, ranges);
    const double even = -rows * std::log(static_cast<double>(size));
    const double most = std::max(estimated, even);
    const double mean = most + std::log((std::exp(estimated - most) + std::exp(even - most)) / 2);
    EXPECT_NEAR(nats, -mean, 1e-4 * rows) << "round " << round;
  }
}

TEST(LnEvidence, IsThatOfOneAnswerAfterTheOther) {
  for (int yes = 0; yes < 30; ++yes) {
    for (int no = 0; no < 30; ++no) {
      const std::vector<Question> question = BalancedQuestions(2);
      const std::vector<std::uint64_t> counts = {static_cast<std::uint64_t>(yes), static_cast<std::uint64_t>(no)};
      EXPECT_NEAR(LnEvidence(yes, no), LnEvidenceOf(counts, question, FindRanges(question)), 1e-9);
    }
  }
}

// Rows that weigh 2^40 together leave no room for doubt, and no number overflows.
TEST(MarginalLogits, OfHeavyRowsAreTheirFrequencies) {
  const std::vector<Question> questions = BalancedQuestions(2);
  const std::vector<double> before = {0, 0x1p38, 0x1p40};
  const auto logits = MarginalLogits(questions, FindRanges(questions), before);
  ASSERT_EQ(logits.size(), 1U);
  EXPECT_NEAR(AnswerProbability(logits[0]), 0.25, 1e-5);
}

}  // namespace
}  // namespace dtf
