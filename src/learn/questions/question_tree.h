// The yes/no questions that find a column's category.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ragged.h"
#include "flow/conditioner.h"

namespace dtf {

// For a nominal column: the Huffman tree of its categories, so that a row answers as few questions on average as the
// column's entropy allows. Of subtrees with the same count those of fewer categories are joined first, then those with
// the lower first category: so categories that no row has form a shallow tree. counts: of each category, one or more.
// levels: lists of labels, one label for each category. Questions first find the label of the first level, then that of
// the second, …, then the category; at each level by Huffman trees.
std::vector<Question> HuffmanQuestions(std::span<const std::uint64_t> counts,
                                       std::span<const std::span<const Code>> levels = {});

// For an ordered column: a balanced tree of questions "is it below?"; size: number of categories, at least 1.
std::vector<Question> BalancedQuestions(Code size);

// The categories in such an order that those below each question stand together: question q asks those at
// [first[q], last[q]), and answers yes for those before middle[q].
struct QuestionRanges {
  std::vector<std::uint32_t> position;  // of each category
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> middle;
  std::vector<std::uint32_t> last;
};
QuestionRanges FindRanges(std::span<const Question> questions);

// How much of something answers yes, and how much no.
struct AnswerMasses {
  double yes = 0;
  double no = 0;

  void Add(bool is_yes, double mass) { (is_yes ? yes : no) += mass; }
};

// Each question's, of what has this mass in each category. Sums from the categories up: differences of sums over ranges
// would lose small masses beside large ones.
std::vector<AnswerMasses> AnswersOf(std::span<const Question> questions, std::span<const double> masses);

// For each category the answers that lead to it, the first question's first: 2 · question, and 1 more if it is yes.
Ragged<std::uint32_t> FindPaths(std::span<const Question> questions);

}  // namespace dtf
