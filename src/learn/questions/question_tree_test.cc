#include "learn/questions/question_tree.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace dtf {
namespace {

// How many questions each category is asked, and by the way whether the questions are a tree, parents first, whose
// leaves are the categories.
std::vector<int> FindDepths(const std::vector<Question>& questions) {
  std::vector<int> depth_of(questions.size(), -1);
  std::vector<int> depths(questions.size() + 1, -1);
  if (questions.empty()) return {0};
  depth_of[0] = 0;
  for (std::size_t q = 0; q < questions.size(); ++q) {
    EXPECT_GE(depth_of[q], 0) << "no parent before question " << q;
    for (const std::int32_t child : {questions[q].yes, questions[q].no}) {
      const auto at = static_cast<std::size_t>(child < 0 ? -1 - child : child);
      int& depth = (child < 0 ? depths : depth_of).at(at);
      EXPECT_EQ(depth, -1) << "two parents";
      depth = depth_of[q] + 1;
    }
  }
  return depths;
}

std::uint64_t TotalQuestions(const std::vector<Question>& questions, const std::vector<std::uint64_t>& counts) {
  const std::vector<int> depths = FindDepths(questions);
  EXPECT_EQ(depths.size(), counts.size());
  std::uint64_t total = 0;
  for (std::size_t a = 0; a < counts.size(); ++a) total += counts[a] * static_cast<std::uint64_t>(depths[a]);
  return total;
}

// The least total over all binary trees of a set of categories: its own count, and the best two parts.
std::uint64_t LeastTotal(unsigned set, const std::vector<std::uint64_t>& counts,
                         std::map<unsigned, std::uint64_t>& known) {
  if (std::has_single_bit(set)) return 0;
  if (const auto found = known.find(set); found != known.end()) return found->second;
  std::uint64_t best = ~std::uint64_t{0};
  for (unsigned part = (set - 1) & set; part != 0; part = (part - 1) & set) {
    best = std::min(best, LeastTotal(part, counts, known) + LeastTotal(set & ~part, counts, known));
  }
  for (std::size_t a = 0; a < counts.size(); ++a) best += set >> a & 1 ? counts[a] : 0;
  return known[set] = best;
}

TEST(HuffmanQuestions, AskAsFewQuestionsAsAnyTree) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint64_t> counts(1 + random() % 7);
    for (auto& count : counts) count = round % 3 == 0 ? random() % 3 : random() % 100 * (random() % 100);
    std::map<unsigned, std::uint64_t> known;
    EXPECT_EQ(TotalQuestions(HuffmanQuestions(counts), counts), LeastTotal((1u << counts.size()) - 1, counts, known));
  }
}

// Categories of one label are asked for together, those of a label of the first level before the second's.
TEST(HuffmanQuestions, TellLabelsApartFirst) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 50; ++round) {
    const std::size_t size = 1 + random() % 40;
    std::vector<std::uint64_t> counts(size);
    std::vector<Code> country(size);
    std::vector<Code> trade(size);
    for (std::size_t a = 0; a < size; ++a) {
      counts[a] = random() % 50;
      country[a] = static_cast<Code>(random() % 4);
      trade[a] = static_cast<Code>(random() % 3);
    }
    const std::vector<std::span<const Code>> levels = {country, trade};
    const std::vector<Question> questions = HuffmanQuestions(counts, levels);
    ASSERT_EQ(questions.size(), size - 1);
    FindDepths(questions);
    const QuestionRanges ranges = FindRanges(questions);
    std::map<Code, std::set<std::uint32_t>> of_country;
    std::map<std::pair<Code, Code>, std::set<std::uint32_t>> of_both;
    for (std::size_t a = 0; a < size; ++a) {
      of_country[country[a]].insert(ranges.position[a]);
      of_both[{country[a], trade[a]}].insert(ranges.position[a]);
    }
    const auto are_together = [](const std::set<std::uint32_t>& places) {
      return *places.rbegin() - *places.begin() + 1 == places.size();
    };
    for (const auto& [label, places] : of_country) EXPECT_TRUE(are_together(places));
    for (const auto& [label, places] : of_both) EXPECT_TRUE(are_together(places));
  }
}

// As many columns may say the same of a key's categories as a table has.
TEST(HuffmanQuestions, OfManyEqualLevelsAreThoseOfOne) {
  const std::vector<std::uint64_t> counts = {5, 3, 9, 1, 1};
  const std::vector<Code> label = {0, 1, 0, 1, 2};
  const std::vector<Code> same = {4, 4, 4, 4, 4};
  std::vector<std::span<const Code>> levels(200'000, same);
  levels.push_back(label);
  levels.insert(levels.end(), 200'000, label);
  const auto questions = HuffmanQuestions(counts, levels);
  const auto expected = HuffmanQuestions(counts, std::vector<std::span<const Code>>{label});
  ASSERT_EQ(questions.size(), expected.size());
  for (std::size_t q = 0; q < questions.size(); ++q) {
    EXPECT_EQ(questions[q].yes, expected[q].yes);
    EXPECT_EQ(questions[q].no, expected[q].no);
  }
}

// The rule written down slowly: of all subtrees join the two least ones by (count, categories, first category).
std::vector<std::vector<Code>> JoinedSets(const std::vector<std::uint64_t>& counts) {
  std::vector<std::tuple<std::uint64_t, std::size_t, std::vector<Code>>> subtrees;
  for (Code a = 0; a < counts.size(); ++a) subtrees.push_back({counts[a], 1, {a}});
  std::vector<std::vector<Code>> joined;
  while (subtrees.size() > 1) {
    std::sort(subtrees.begin(), subtrees.end());  // ties: by the sets, whose first categories differ
    const auto& [other_count, other_size, other] = subtrees[1];
    auto [count, size, set] = subtrees[0];
    set.insert(set.end(), other.begin(), other.end());
    std::sort(set.begin(), set.end());
    subtrees[1] = {count + other_count, size + other_size, set};
    subtrees.erase(subtrees.begin());
    joined.push_back(set);
  }
  return joined;
}

// The categories at [first, last) of a question.
std::vector<Code> CategoriesAt(const QuestionRanges& ranges, std::uint32_t first, std::uint32_t last) {
  std::vector<Code> categories;
  for (Code a = 0; a < ranges.position.size(); ++a) {
    if (ranges.position[a] >= first && ranges.position[a] < last) categories.push_back(a);
  }
  return categories;
}

TEST(HuffmanQuestions, BreakTiesByCategoriesThenByTheFirst) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint64_t> counts(2 + random() % 12);
    for (auto& count : counts) count = random() % 3;
    const auto questions = HuffmanQuestions(counts);
    const QuestionRanges ranges = FindRanges(questions);
    std::vector<std::vector<Code>> sets;
    for (std::size_t q = questions.size(); q-- > 0;) {  // the first join is the last question
      sets.push_back(CategoriesAt(ranges, ranges.first[q], ranges.last[q]));
    }
    EXPECT_EQ(sets, JoinedSets(counts));
  }
}

// Joined by the first category alone they would be a chain of a thousand questions.
TEST(HuffmanQuestions, OfCategoriesWithoutRowsAreShallow) {
  std::vector<std::uint64_t> counts(1024, 0);
  counts.push_back(5);
  const std::vector<int> depths = FindDepths(HuffmanQuestions(counts));
  EXPECT_EQ(*std::max_element(depths.begin(), depths.end()), 11);
}

TEST(BalancedQuestions, AskIsItBelowAndNoMoreThanTheLogarithm) {
  for (Code size = 1; size < 200; ++size) {
    const auto questions = BalancedQuestions(size);
    EXPECT_EQ(questions.size() + 1, size);
    const std::vector<int> depths = FindDepths(questions);
    EXPECT_LE(*std::max_element(depths.begin(), depths.end()), std::bit_width(size - 1));
    // The positions are the values' order: yes are those below.
    const QuestionRanges ranges = FindRanges(questions);
    for (Code a = 0; a < size; ++a) EXPECT_EQ(ranges.position[a], a);
  }
}

TEST(FindRanges, JoinsTheChildrensRanges) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 100; ++round) {
    std::vector<std::uint64_t> counts(1 + random() % 40);
    for (auto& count : counts) count = random() % 1000;
    const auto questions =
        round % 4 == 0 ? BalancedQuestions(static_cast<Code>(counts.size())) : HuffmanQuestions(counts);
    const QuestionRanges ranges = FindRanges(questions);
    std::vector<std::uint32_t> positions = ranges.position;
    std::sort(positions.begin(), positions.end());
    std::vector<std::uint32_t> all(counts.size());
    std::iota(all.begin(), all.end(), 0u);
    EXPECT_EQ(positions, all);
    const auto expect_child = [&](std::int32_t child, std::uint32_t first, std::uint32_t last) {
      if (child < 0) {
        EXPECT_EQ(ranges.position[static_cast<std::size_t>(-1 - child)], first);
        EXPECT_EQ(first + 1, last);
      } else {
        EXPECT_EQ(ranges.first[static_cast<std::size_t>(child)], first);
        EXPECT_EQ(ranges.last[static_cast<std::size_t>(child)], last);
      }
    };
    for (std::size_t q = 0; q < questions.size(); ++q) {
      expect_child(questions[q].yes, ranges.first[q], ranges.middle[q]);
      expect_child(questions[q].no, ranges.middle[q], ranges.last[q]);
    }
    if (!questions.empty()) {
      EXPECT_EQ(ranges.first[0], 0u);
      EXPECT_EQ(ranges.last[0], counts.size());
    }
  }
}

// Small masses stay what they are beside large ones.
TEST(AnswersOf, AddsTheMassesBelowEachAnswer) {
  const auto questions = BalancedQuestions(5);
  const std::vector<double> masses{1, 1e-30, 2e-30, 3, 4e-30};
  std::vector<AnswerMasses> expected(questions.size());
  const auto paths = FindPaths(questions);
  for (std::size_t category = 0; category < masses.size(); ++category) {
    for (const std::uint32_t step : paths[category]) expected[step / 2].Add(step % 2 != 0, masses[category]);
  }
  const std::vector<AnswerMasses> answers = AnswersOf(questions, masses);
  ASSERT_EQ(answers.size(), questions.size());
  for (std::size_t q = 0; q < questions.size(); ++q) {
    EXPECT_DOUBLE_EQ(answers[q].yes, expected[q].yes);
    EXPECT_DOUBLE_EQ(answers[q].no, expected[q].no);
  }
}

TEST(Questions, OfOneCategoryAreNone) {
  EXPECT_TRUE(HuffmanQuestions(std::vector<std::uint64_t>{7}).empty());
  EXPECT_TRUE(BalancedQuestions(1).empty());
  EXPECT_EQ(FindRanges({}).position, std::vector<std::uint32_t>{0});
}

TEST(FindPaths, LeadToTheirCategories) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 100; ++round) {
    std::vector<std::uint64_t> counts(1 + random() % 40);
    for (auto& count : counts) count = random() % 1000;
    const auto questions =
        round % 4 == 0 ? BalancedQuestions(static_cast<Code>(counts.size())) : HuffmanQuestions(counts);
    const auto paths = FindPaths(questions);
    ASSERT_EQ(paths.size(), counts.size());
    for (std::size_t category = 0; category < counts.size(); ++category) {
      std::int32_t at = questions.empty() ? -1 : 0;
      for (const std::uint32_t answer : paths[category]) {
        ASSERT_EQ(static_cast<std::int32_t>(answer / 2), at);
        at = answer % 2 != 0 ? questions[answer / 2].yes : questions[answer / 2].no;
      }
      EXPECT_EQ(at, -1 - static_cast<std::int32_t>(category));
    }
  }
}

}  // namespace
}  // namespace dtf
