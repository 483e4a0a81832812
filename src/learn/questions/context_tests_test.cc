#include "learn/questions/context_tests.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "count/target_test_util.h"

namespace dtf {
namespace {

// Columns of these sizes, the low codes more frequent, an unseen slot here and there; weights on request.
WeightedRows RandomRows(std::size_t rows, const std::vector<Code>& sizes, bool weighted, std::mt19937_64& random) {
  WeightedRows table;
  table.codes = CodeTable::WithSizes(rows, sizes);
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      const auto code = static_cast<Code>(std::min(random() % sizes[j], random() % sizes[j]));
      table.codes.columns[j].Set(i, random() % 50 == 0 ? sizes[j] : code);
    }
  }
  if (weighted) {
    for (std::size_t i = 0; i < rows; ++i) table.weights.push_back(1 + random() % 9);
  }
  return table;
}

bool Passes(const CodeTable& codes, const CodeTest& test, std::size_t row) {
  const Code code = codes.columns[test.column].At(row);
  return code >= test.first && code <= test.last;
}

std::uint64_t PassingWeight(const WeightedRows& rows, const CodeTest& test) {
  std::uint64_t weight = 0;
  for (std::size_t i = 0; i < rows.codes.rows; ++i) weight += Passes(rows.codes, test, i) ? rows.WeightOf(i) : 0;
  return weight;
}

std::vector<Feature> ShuffledOrder(std::size_t columns, std::mt19937_64& random) {
  std::vector<Feature> order(columns);
  std::iota(order.begin(), order.end(), Feature{0});
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

TEST(ContextPlanes, AgreeWithTheCodesRowByRow) {
  std::mt19937_64 random(1);
  const std::vector<Code> sizes = {2, 5, 300, 70000};
  for (const std::size_t rows : {1, 63, 64, 65, 500}) {
    const WeightedRows table = RandomRows(rows, sizes, false, random);
    std::vector<CodeTest> tests;
    for (int t = 0; t < 40; ++t) {
      const auto column = static_cast<Feature>(random() % sizes.size());
      const auto first = static_cast<Code>(random() % sizes[column]);
      const auto last = static_cast<Code>(first + random() % (sizes[column] - first));
      tests.push_back({column, first, t % 2 == 0 ? first : last});
    }
    OnEachTarget([&] {
      const ContextPlanes planes(table.codes, tests);
      ASSERT_EQ(planes.words(), PlaneWords(rows));
      for (std::size_t t = 0; t < tests.size(); ++t) {
        const std::uint64_t* plane = planes.First(tests.size())[t];
        for (std::size_t i = 0; i < 64 * planes.words(); ++i) {
          ASSERT_EQ(plane[i / 64] >> (i % 64) & 1, i < rows && Passes(table.codes, tests[t], i));
        }
      }
    });
  }
}

TEST(ContextPlanes, OfChosenTestsAreTheirs) {
  std::mt19937_64 random(2);
  const WeightedRows table = RandomRows(100, {2, 5, 300}, false, random);
  const ContextPlanes all(table.codes, std::vector<CodeTest>{{0, 1, 1}, {1, 0, 2}, {2, 5, 90}, {1, 3, 3}});
  const std::vector<std::uint32_t> chosen = {1, 3};
  const ContextPlanes some(all, chosen);
  ASSERT_EQ(some.words(), all.words());
  for (std::size_t t = 0; t < chosen.size(); ++t) {
    const std::uint64_t* plane = all.First(4)[chosen[t]];
    EXPECT_TRUE(std::equal(plane, plane + all.words(), some.First(chosen.size())[t]));
  }
}

TEST(ChooseTests, NoneIsPassedByAllRowsOrNoneOrTwice) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 60; ++round) {
    std::vector<Code> sizes(1 + random() % 6);
    for (Code& size : sizes) size = static_cast<Code>(1 + random() % (round % 2 == 0 ? 5 : 400));
    const WeightedRows rows = RandomRows(1 + random() % 200, sizes, round % 3 == 0, random);
    const std::vector<Feature> order = ShuffledOrder(sizes.size(), random);
    const ContextTests chosen = ChooseTests(rows, sizes, order);
    std::set<CodeTest> different(chosen.tests.begin(), chosen.tests.end());
    EXPECT_EQ(different.size(), chosen.tests.size());
    for (const CodeTest& test : chosen.tests) {
      EXPECT_LE(test.first, test.last);
      EXPECT_LT(test.last, sizes[test.column]);
      // Of the rows with a value seen before.
      const std::uint64_t passing = PassingWeight(rows, test);
      EXPECT_GT(passing, 0u);
      EXPECT_LT(passing, PassingWeight(rows, {test.column, 0, sizes[test.column] - 1}));
    }
  }
}

TEST(ChooseTests, BeginSaysWhichBelongToTheColumnsBefore) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 40; ++round) {
    std::vector<Code> sizes(1 + random() % 8);
    for (Code& size : sizes) size = static_cast<Code>(1 + random() % 9);
    const WeightedRows rows = RandomRows(100, sizes, false, random);
    const std::vector<Feature> order = ShuffledOrder(sizes.size(), random);
    const ContextTests chosen = ChooseTests(rows, sizes, order);
    ASSERT_EQ(chosen.begin.size(), sizes.size() + 1);
    EXPECT_EQ(chosen.begin.front(), 0u);
    EXPECT_EQ(chosen.begin.back(), chosen.tests.size());
    for (std::size_t t = 0; t < order.size(); ++t) {
      for (std::size_t i = chosen.begin[t]; i < chosen.begin[t + 1]; ++i) EXPECT_EQ(chosen.tests[i].column, order[t]);
    }
  }
}

TEST(ChooseTests, TellsAnyTwoCategoriesOfFewApart) {
  std::mt19937_64 random(4);
  for (Code size = 2; size < 12; ++size) {
    const WeightedRows rows = RandomRows(400, {size}, false, random);
    const ContextTests chosen = ChooseTests(rows, std::vector<Code>{size}, std::vector<Feature>{0});
    std::set<std::vector<bool>> seen;
    std::set<Code> present;
    for (std::size_t i = 0; i < rows.codes.rows; ++i) {
      if (rows.codes.columns[0].At(i) == size) continue;
      std::vector<bool> answers;
      for (const CodeTest& test : chosen.tests) answers.push_back(Passes(rows.codes, test, i));
      seen.insert(answers);
      present.insert(rows.codes.columns[0].At(i));
    }
    EXPECT_EQ(seen.size(), present.size());
    if (present.size() == 2) {
      EXPECT_EQ(chosen.tests.size(), 1u);
    }
  }
}

// At most 256 categories, those that most rows have; thresholds with a 64th of the rows between one and the next, or a
// 256th in an ordered column.
TEST(DropUnusedTests, KeepsEachOfTheUsedOnesOnce) {
  std::vector<CodeTest> tests{{0, 0, 0}, {0, 0, 1}, {1, 2, 2}, {0, 0, 1}};
  std::vector<Conditioner> conditioners(1);
  Question& question = conditioners[0].questions.emplace_back();
  question.terms = {{1, 5}};
  question.trees = {{{{2, 1, -1}, {3, -2, -3}}, {0, 1, 2}}};
  DropUnusedTests(tests, conditioners);
  EXPECT_EQ(tests, (std::vector<CodeTest>{{0, 0, 1}, {1, 2, 2}}));
  EXPECT_EQ(question.terms[0].test, 0u);
  EXPECT_EQ(question.trees[0].nodes[0].test, 1u);
  EXPECT_EQ(question.trees[0].nodes[1].test, 0u);
}

TEST(ChooseTests, AreFewForAColumnOfThousandsOfCategories) {
  std::mt19937_64 random(5);
  for (const bool ordered : {false, true}) {
    const std::uint64_t most = ordered ? 256 : 64;
    const bool weighted = !ordered;
    const std::vector<Code> sizes = {5000};
    const WeightedRows rows = RandomRows(20000, sizes, weighted, random);
    std::vector<std::uint64_t> counts(sizes[0] + 1);
    for (std::size_t i = 0; i < rows.codes.rows; ++i) counts[rows.codes.columns[0].At(i)] += rows.WeightOf(i);
    counts.pop_back();
    const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});

    std::vector<CodeTest> categories;
    std::vector<CodeTest> thresholds;
    for (const CodeTest& test : ChooseTests(rows, sizes, std::vector<Feature>{0}, {ordered}).tests) {
      (test.first == test.last ? categories : thresholds).push_back(test);
    }
    EXPECT_EQ(categories.size(), 256u);
    std::uint64_t least = total;
    for (const CodeTest& test : categories) least = std::min(least, counts[test.first]);
    EXPECT_LE(std::count_if(counts.begin(), counts.end(), [&](auto count) { return count > least; }), 256);
    for (Code code = 0; code < sizes[0]; ++code) {
      const bool has_test = std::count(categories.begin(), categories.end(), CodeTest{0, code, code}) > 0;
      EXPECT_TRUE(has_test || counts[code] <= least);
    }

    EXPECT_GT(thresholds.size(), most / 2);
    EXPECT_LE(thresholds.size(), most + 1);
    std::uint64_t last = 0;
    for (const CodeTest& test : thresholds) {
      EXPECT_EQ(test.first, 0u);
      const std::uint64_t below = PassingWeight(rows, test);
      EXPECT_GE(below - last, total / most);
      last = below;
    }
  }
}

}  // namespace
}  // namespace dtf
