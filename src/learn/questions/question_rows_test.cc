#include "learn/questions/question_rows.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "count/target_test_util.h"

namespace dtf {
namespace {

constexpr Code kCategories = 100;
constexpr Feature kColumns = 6;  // binary ones, before the column that is asked about

WeightedRows RandomRows(std::size_t rows, bool weighted, std::mt19937_64& random) {
  std::vector<Code> sizes(kColumns, 2);
  sizes.push_back(kCategories);
  WeightedRows table;
  table.codes = CodeTable::WithSizes(rows, sizes);
  for (std::size_t i = 0; i < rows; ++i) {
    for (Feature j = 0; j < kColumns; ++j) table.codes.columns[j].Set(i, static_cast<Code>(random() % 2));
    const auto code = static_cast<Code>(std::min(random() % kCategories, random() % kCategories));
    table.codes.columns[kColumns].Set(i, random() % 20 == 0 ? kCategories : code);
    if (weighted) table.weights.push_back(1 + random() % 30);
  }
  return table;
}

std::vector<CodeTest> BinaryTests() {
  std::vector<CodeTest> tests;
  for (Feature j = 0; j < kColumns; ++j) tests.push_back({j, 1, 1});
  return tests;
}

void AddCategories(const std::vector<Question>& questions, std::int32_t child, std::set<Code>& categories) {
  if (child < 0) {
    categories.insert(static_cast<Code>(-1 - child));
    return;
  }
  AddCategories(questions, questions[static_cast<std::size_t>(child)].yes, categories);
  AddCategories(questions, questions[static_cast<std::size_t>(child)].no, categories);
}

bool Bit(const std::uint64_t* plane, std::size_t i) { return plane[i / 64] >> (i % 64) & 1; }

// The first ones, or any.
std::vector<std::uint32_t> SomeTests(std::mt19937_64& random) {
  std::vector<std::uint32_t> tests;
  const bool are_first = random() % 2 == 0;
  const std::size_t count = random() % (kColumns + 1);
  for (std::uint32_t t = 0; t < kColumns; ++t) {
    if (are_first ? t < count : random() % 2 == 0) tests.push_back(t);
  }
  return tests;
}

// Everything about a question's rows, by a loop over the table.
void ExpectRowsOf(const WeightedRows& table, const std::vector<Question>& questions, std::size_t q,
                  std::mt19937_64& random) {
  const CoarseWeights weights = QuestionWeights(table);
  const ContextPlanes contexts(table.codes, BinaryTests());
  const std::vector<std::uint32_t> tests = SomeTests(random);
  const std::size_t first_half = random() % (table.codes.rows + 1);
  const QuestionRanges ranges = FindRanges(questions);
  const AskedColumn column(table.codes.columns[kColumns], ranges);
  std::vector<Logit> starts(kCategories / 2);  // by code of the column itself; 0 for the others
  for (Logit& start : starts) start = static_cast<Logit>(random() % 1000);
  const CodeLogits start{table.codes.columns[kColumns], starts};
  const QuestionRows rows(column, q, weights, contexts, tests, first_half, start);

  std::set<Code> yes;
  std::set<Code> no;
  AddCategories(questions, questions[q].yes, yes);
  AddCategories(questions, questions[q].no, no);
  std::vector<Logit> logits(64 * rows.words());
  for (Logit& logit : logits) logit = static_cast<Logit>(random() % (1 << 20)) - (1 << 19);
  std::size_t at = 0;
  double total = 0;
  double total_yes = 0;
  double losses[2] = {0, 0};  // by halves of the table
  ASSERT_EQ(rows.tests().planes, tests.size());
  ASSERT_EQ(rows.tests().words, rows.words());
  for (std::size_t i = 0; i < table.codes.rows; ++i) {
    const Code code = table.codes.columns[kColumns].At(i);
    const bool says_yes = yes.contains(code);
    if (!says_yes && !no.contains(code)) continue;
    ASSERT_LT(at, rows.rows());
    EXPECT_EQ(Bit(rows.yes(), at), says_yes);
    EXPECT_TRUE(Bit(rows.all().data(), at));
    EXPECT_EQ(rows.start()[at], code < starts.size() ? starts[code] : 0);
    for (std::size_t t = 0; t < tests.size(); ++t) {
      EXPECT_EQ(Bit(rows.tests()[t], at), table.codes.columns[tests[t]].At(i) == 1);
    }
    const double weight = table.RowWeight(i);
    EXPECT_EQ(rows.unit() * (rows.weights().empty() ? 1 : rows.weights()[at]), weight);
    total += weight;
    total_yes += says_yes ? weight : 0;
    losses[i < first_half ? 0 : 1] += weight * std::log1p(std::exp((says_yes ? -1 : 1) * kLogitUnit * logits[at]));
    ++at;
  }
  EXPECT_EQ(rows.rows(), at);
  EXPECT_EQ(rows.start().size(), at);
  EXPECT_EQ(rows.weights().size(), table.weights.empty() ? 0 : at);
  for (std::size_t i = at; i < 64 * rows.words(); ++i) {  // rows that do not exist
    EXPECT_FALSE(Bit(rows.all().data(), i) || Bit(rows.yes(), i));
    for (std::size_t t = 0; t < tests.size(); ++t) EXPECT_FALSE(Bit(rows.tests()[t], i));
  }
  EXPECT_EQ(rows.total(), total);
  EXPECT_EQ(rows.total_yes(), total_yes);
  const auto most = std::max_element(rows.weights().begin(), rows.weights().end());
  EXPECT_EQ(rows.most_weight(), most == rows.weights().end() ? 1 : *most);
  EXPECT_NEAR(rows.Loss(logits), losses[0] + losses[1], 2e-6 * total);
  for (const int half : {0, 1}) {
    EXPECT_NEAR(rows.LossOfHalves(logits)[static_cast<std::size_t>(half)], losses[half], 2e-6 * total);
  }
}

TEST(QuestionRows, AreThoseThatReachTheQuestion) {
  std::mt19937_64 random(1);
  for (const bool weighted : {false, true}) {
    for (const std::size_t size : {1, 64, 100, 700}) {
      WeightedRows table = RandomRows(size, weighted, random);
      if (weighted && size == 100) table.unit = 0x1p-16;
      std::vector<std::uint64_t> counts(kCategories);
      for (auto& count : counts) count = random() % 100;
      const auto questions = HuffmanQuestions(counts);
      OnEachTarget([&] {
        for (std::size_t q = 0; q < questions.size(); ++q) ExpectRowsOf(table, questions, q, random);
      });
    }
  }
}

// All rows reach the first question, when none has an unseen value: its planes are the table's own.
TEST(QuestionRows, MayBeAllRows) {
  std::mt19937_64 random(2);
  for (const bool weighted : {false, true}) {
    WeightedRows table = RandomRows(200, weighted, random);
    for (std::size_t i = 0; i < table.codes.rows; ++i) {
      CodeColumn& column = table.codes.columns[kColumns];
      column.Set(i, column.At(i) % kCategories);
    }
    const auto questions = BalancedQuestions(kCategories);
    ExpectRowsOf(table, questions, 0, random);
    const ContextPlanes contexts(table.codes, BinaryTests());
    const QuestionRanges ranges = FindRanges(questions);
    const QuestionRows rows(AskedColumn(table.codes.columns[kColumns], ranges), 0, QuestionWeights(table), contexts,
                            FirstTests(kColumns));
    EXPECT_EQ(rows.tests().first, contexts.First(kColumns).first);
  }
}

TEST(QuestionWeights, KeepWeightsTooLargeForThemAsWellAsTheyCan) {
  std::mt19937_64 random(3);
  WeightedRows table = RandomRows(1000, true, random);
  for (auto& weight : table.weights) weight = 1 + random() % (std::uint64_t{1} << (random() % 37));
  const CoarseWeights weights = QuestionWeights(table);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < table.weights.size(); ++i) {
    EXPECT_GT(weights.weights[i], 0u);
    EXPECT_NEAR(weights.unit * weights.weights[i], static_cast<double>(table.weights[i]), weights.unit);
    sum += weights.weights[i];
  }
  EXPECT_LE(sum, (std::uint64_t{1} << 30) + table.weights.size());
  EXPECT_GT(sum, std::uint64_t{1} << 28);
}

}  // namespace
}  // namespace dtf
