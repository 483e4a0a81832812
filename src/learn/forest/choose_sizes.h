// How many boosted trees each question keeps, by the losses of the validation rows. Few of these reach a question, so
// that the number that is best for it is partly chance: where it is, questions choose together.
#pragma once

#include <cstddef>
#include <vector>

#include "learn/questions/fit_question.h"

namespace dtf {

// By column, then by question, as TreeCounts.
using QuestionFits = std::vector<std::vector<QuestionFit>>;

// Which of the validation rows choose (HalvedRows).
enum class JudgingRows { kAll, kFirstHalf, kSecondHalf };

// Numbers of boosted trees.
using TreeCounts = std::vector<std::vector<int>>;

// The number of boosted trees for each question, in one of five ways: that of the least loss of the question itself, of
// all questions together, or of its column's questions together, or the geometric mean of the first and either of the
// others (of numbers + 1). The way is taken that gives the least loss when each half of the validation rows chooses for
// the other half. Never more trees than there are; a question that was learnt without validation rows keeps all.
TreeCounts ChooseTreeCounts(const QuestionFits& fits, JudgingRows judging);

// losses: by question, then by choice, as many for each. Returns the choice of the least sum over the questions, the
// first one of equals; 0 for no question.
std::size_t PositionOfLeastSum(const std::vector<std::vector<double>>& losses);

}  // namespace dtf
