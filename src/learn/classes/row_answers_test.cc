#include "learn/classes/row_answers.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "learn/classes/two_classes_test_util.h"
#include "learn/questions/question_tree.h"

namespace dtf {
namespace {

// Whoever follows a row's answers gets to its categories.
TEST(RowAnswers, LeadToTheRowsCategories) {
  std::mt19937_64 random(1);
  WeightedRows rows = TwoClasses(200, random);
  for (int cell = 0; cell < 20; ++cell) {
    const std::size_t j = random() % kSizes.size();
    rows.codes.columns[j].Set(random() % 200, kSizes[j]);  // without a category
  }
  std::vector<std::vector<Question>> questions;
  for (Feature j = 0; j < kSizes.size(); ++j) questions.push_back(HuffmanQuestions(rows.CountCategories(j, kSizes[j])));
  const std::vector<Feature> order = {3, 0, 4, 2, 1};
  const std::vector<CodeTest> tests = {{3, 1, 1}, {3, 3, 3}, {0, 0, 0}, {4, 2, 2}, {1, 1, 1}};
  const RowAnswers answers(rows, order, questions, tests);
  EXPECT_EQ(answers.begin(order.size()), answers.questions());
  AnsweredRow row;
  for (std::size_t i = 0; i < 200; ++i) {
    answers.Read(i, row);
    std::size_t used = 0;
    for (std::size_t p = 0; p < order.size(); ++p) {
      const Code code = rows.codes.columns[order[p]].At(i);
      if (code >= kSizes[order[p]]) continue;
      std::int32_t at = questions[order[p]].empty() ? -1 : 0;
      while (at >= 0) {
        ASSERT_LT(used, row.answers.size());
        const RowAnswer& answer = row.answers[used++];
        ASSERT_EQ(answer.question, answers.begin(p) + static_cast<std::size_t>(at));
        const Question& question = questions[order[p]][static_cast<std::size_t>(at)];
        at = answer.yes ? question.yes : question.no;
      }
      EXPECT_EQ(static_cast<Code>(-1 - at), code);
    }
    EXPECT_EQ(used, row.answers.size());
    for (std::uint32_t t = 0; t < tests.size(); ++t) {
      const bool passes = rows.codes.columns[tests[t].column].At(i) == tests[t].first;
      EXPECT_EQ(std::ranges::count(row.passed, t), passes ? 1 : 0);
    }
  }
}

}  // namespace
}  // namespace dtf
