// How much is learnt of each question, as the judging rows say. Those of one question are often few, and what they find
// best is to a good part chance: where that is so, all questions of a member have a say in each one's.
#pragma once

#include <cstddef>
#include <vector>

#include "learn/questions/fit_question.h"

namespace dtf {

// Both by column, then by question.
using QuestionFits = std::vector<std::vector<QuestionFit>>;

// Which of the judging rows have a say (HalvedRows).
enum class JudgingRows { kAll, kFirstHalf, kSecondHalf };

// How many boosted trees.
using TreeCounts = std::vector<std::vector<int>>;

// Boosted trees for each question: the number at which its own loss is least, the one at which the sum of all
// questions' losses is, or of its column's, or the geometric mean of its own and one of these: whichever of these five
// ways is better when each half of the judging rows chooses for the other. Never more than there are. Of what was
// learnt without judging rows all are kept.
TreeCounts ChooseTreeCounts(const QuestionFits& fits, JudgingRows judging);

// Where the sum of the questions' losses is least, the first one of equals. All have as many; of no question: 0.
std::size_t PositionOfLeastSum(const std::vector<std::vector<double>>& losses);

}  // namespace dtf
