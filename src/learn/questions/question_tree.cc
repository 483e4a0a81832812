#include "learn/questions/question_tree.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

namespace dtf {
namespace {

constexpr std::int32_t CategoryChild(Code category) { return -1 - static_cast<std::int32_t>(category); }

struct Subtree {
  std::uint64_t count;
  Code categories;     // how many
  Code first;          // the lowest of them
  std::int32_t child;  // a merge, or a category

  friend bool operator>(const Subtree& a, const Subtree& b) {
    return std::tie(a.count, a.categories, a.first) > std::tie(b.count, b.categories, b.first);
  }
};

class HuffmanMerges {
 public:
  HuffmanMerges(std::span<const std::uint64_t> counts, std::span<const std::span<const Code>> levels)
      : counts_(counts), levels_(levels) {}

  // Merges these categories, ascending, which have the same labels at all levels before this one.
  Subtree Merge(std::span<const Code> categories, std::size_t level) {
    while (level < levels_.size() && !TellsApart(levels_[level], categories)) ++level;
    std::priority_queue<Subtree, std::vector<Subtree>, std::greater<>> subtrees;
    if (level == levels_.size()) {
      for (const Code code : categories) subtrees.push({counts_[code], 1, code, CategoryChild(code)});
    } else {
      std::map<Code, std::vector<Code>> of_label;
      for (const Code code : categories) of_label[levels_[level][code]].push_back(code);
      for (const auto& [label, part] : of_label) subtrees.push(Merge(part, level + 1));
    }
    while (subtrees.size() > 1) {
      const Subtree rare = subtrees.top();
      subtrees.pop();
      const Subtree frequent = subtrees.top();
      subtrees.pop();
      merges_.push_back({.yes = rare.child, .no = frequent.child, .bias = 0, .terms = {}, .trees = {}});
      subtrees.push({rare.count + frequent.count, rare.categories + frequent.categories,
                     std::min(rare.first, frequent.first), static_cast<std::int32_t>(merges_.size() - 1)});
    }
    return subtrees.top();
  }

  std::vector<Question> Take() { return std::move(merges_); }

 private:
  static bool TellsApart(std::span<const Code> labels, std::span<const Code> categories) {
    return std::ranges::any_of(categories, [&](Code code) { return labels[code] != labels[categories[0]]; });
  }

  std::span<const std::uint64_t> counts_;
  std::span<const std::span<const Code>> levels_;
  std::vector<Question> merges_;
};

}  // namespace

std::vector<Question> HuffmanQuestions(std::span<const std::uint64_t> counts,
                                       std::span<const std::span<const Code>> levels) {
  std::vector<Code> categories(counts.size());
  std::iota(categories.begin(), categories.end(), Code{0});
  HuffmanMerges huffman(counts, levels);
  huffman.Merge(categories, 0);
  std::vector<Question> merges = huffman.Take();
  // The last merge is the first question.
  const auto last = static_cast<std::int32_t>(merges.size()) - 1;
  std::reverse(merges.begin(), merges.end());
  for (Question& question : merges) {
    if (question.yes >= 0) question.yes = last - question.yes;
    if (question.no >= 0) question.no = last - question.no;
  }
  return merges;
}

std::vector<Question> BalancedQuestions(Code size) {
  struct Range {
    Code first;
    Code last;
  };
  std::vector<Question> questions;
  std::vector<Range> ranges;  // one a question
  const auto add = [&](Code first, Code last) {
    if (last - first == 1) return CategoryChild(first);
    questions.emplace_back();
    ranges.push_back({first, last});
    return static_cast<std::int32_t>(questions.size() - 1);
  };
  add(0, size);
  for (std::size_t q = 0; q < questions.size(); ++q) {
    const auto [first, last] = ranges[q];
    const Code middle = first + (last - first) / 2;
    const std::int32_t yes = add(first, middle);
    const std::int32_t no = add(middle, last);
    questions[q].yes = yes;
    questions[q].no = no;
  }
  return questions;
}

QuestionRanges FindRanges(std::span<const Question> questions) {
  QuestionRanges ranges;
  const std::size_t size = questions.size();
  ranges.position.resize(size + 1);
  ranges.first.resize(size);
  ranges.middle.resize(size);
  ranges.last.resize(size);
  std::vector<std::uint32_t> categories(size, 0);  // below each question
  const auto count = [&](std::int32_t child) { return child < 0 ? 1 : categories[static_cast<std::size_t>(child)]; };
  for (std::size_t q = size; q-- > 0;) categories[q] = count(questions[q].yes) + count(questions[q].no);
  for (std::size_t q = 0; q < size; ++q) {
    ranges.middle[q] = ranges.first[q] + count(questions[q].yes);
    ranges.last[q] = ranges.first[q] + categories[q];
    const auto hand = [&](std::int32_t child, std::uint32_t first) {
      (child < 0 ? ranges.position[static_cast<std::size_t>(-1 - child)]
                 : ranges.first[static_cast<std::size_t>(child)]) = first;
    };
    hand(questions[q].yes, ranges.first[q]);
    hand(questions[q].no, ranges.middle[q]);
  }
  return ranges;
}

std::vector<AnswerMasses> AnswersOf(std::span<const Question> questions, std::span<const double> masses) {
  std::vector<AnswerMasses> answers(questions.size());
  const auto mass_of = [&](std::int32_t child) {
    if (child < 0) return masses[static_cast<std::size_t>(-1 - child)];
    const auto [yes, no] = answers[static_cast<std::size_t>(child)];
    return yes + no;
  };
  for (std::size_t q = questions.size(); q-- > 0;) answers[q] = {mass_of(questions[q].yes), mass_of(questions[q].no)};
  return answers;
}

Ragged<std::uint32_t> FindPaths(std::span<const Question> questions) {
  std::vector<std::vector<std::uint32_t>> to_question(questions.size());
  std::vector<std::vector<std::uint32_t>> to_category(questions.size() + 1);
  for (std::uint32_t q = 0; q < questions.size(); ++q) {
    for (const std::uint32_t yes : {0u, 1u}) {
      const std::int32_t child = yes != 0 ? questions[q].yes : questions[q].no;
      auto& path =
          child < 0 ? to_category[static_cast<std::size_t>(-1 - child)] : to_question[static_cast<std::size_t>(child)];
      path = to_question[q];
      path.push_back(2 * q + yes);
    }
  }
  Ragged<std::uint32_t> paths;
  for (const auto& path : to_category) paths.Append(path);
  return paths;
}

}  // namespace dtf
