// Which yes/no questions a column's categories are asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ragged.h"
#include "flow/conditioner.h"

namespace dtf {

// A nominal column: the Huffman tree of its categories, so that a row answers as few questions as its category's
// entropy allows. Of subtrees with the same count those of fewer categories are joined first, then those of the lower
// first one: categories that no row has are a shallow tree. counts: at least one.
// levels: labels of the categories, by which they are told apart first, by those of the first level before the
// second's; such a tree for each level.
std::vector<Question> HuffmanQuestions(std::span<const std::uint64_t> counts,
                                       std::span<const std::span<const Code>> levels = {});

// An ordered column: a tree balanced by value, "is it below?"; size: number of categories, at least 1.
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

// For each category the answers on the way to it, the first question's first: 2 · question + (it is yes).
Ragged<std::uint32_t> FindPaths(std::span<const Question> questions);

}  // namespace dtf
