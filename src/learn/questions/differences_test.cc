#include "learn/questions/differences.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "learn/forest/merge_rows.h"

namespace dtf {
namespace {

constexpr Code kBegins = 60;
constexpr Code kEnds = 80;
const ColumnKinds kKinds = {{kBegins, kEnds, 3}, {true, true, true}, {}};

using Follow = std::function<Code(Code begin, std::mt19937_64&)>;

// A begin, an end that follows it, and something else.
WeightedRows Stays(std::size_t count, const Follow& follow, std::mt19937_64& random) {
  WeightedRows rows{CodeTable::WithSizes(count, kKinds.sizes), {}, 1};
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = static_cast<Code>(random() % kBegins);
    rows.codes.columns[0].Set(i, begin);
    rows.codes.columns[1].Set(i, follow(begin, random));
    rows.codes.columns[2].Set(i, static_cast<Code>(random() % 3));
  }
  return rows;
}

Code FewDaysAfter(Code begin, std::mt19937_64& random) {
  return begin + static_cast<Code>(std::min(random() % 12, random() % 12));
}

// Of a column's categories given one of `from`, by its questions' biases and what is added to them.
std::vector<double> Distribution(const std::vector<Question>& questions, const std::vector<std::vector<Logit>>& logits,
                                 Code from) {
  std::vector<double> shares(questions.size() + 1, 1);
  const Ragged<std::uint32_t> paths = FindPaths(questions);
  for (std::size_t category = 0; category < shares.size(); ++category) {
    for (const std::uint32_t step : paths[category]) {
      const double nats = kLogitUnit * (questions[step / 2].bias + logits[step / 2][from]);
      shares[category] /= 1 + std::exp(step % 2 != 0 ? -nats : nats);
    }
  }
  return shares;
}

double MeanLnP(const WeightedRows& learnt_from, const WeightedRows& judging, const Difference& difference) {
  const std::vector<Question> questions = BalancedQuestions(kEnds);
  const auto logits = LearnDifference(learnt_from, 1, difference, questions);
  double sum = 0;
  for (std::size_t i = 0; i < judging.codes.rows; ++i) {
    const Code begin = judging.codes.columns[0].At(i);
    sum += std::log(Distribution(questions, logits, begin)[judging.codes.columns[1].At(i)]);
  }
  return sum / static_cast<double>(judging.codes.rows);
}

double MeanLnShare(const WeightedRows& learnt_from, const WeightedRows& judging) {
  const auto counts = learnt_from.CountCategories(1, kEnds);
  double sum = 0;
  for (std::size_t i = 0; i < judging.codes.rows; ++i) {
    const auto count = static_cast<double>(counts[judging.codes.columns[1].At(i)]);
    sum += std::log((count + 0.5) / (static_cast<double>(learnt_from.codes.rows) + 0.5 * kEnds));
  }
  return sum / static_cast<double>(judging.codes.rows);
}

TEST(FindDifferences, FindsColumnsThatFollowEachOther) {
  std::mt19937_64 random(1);
  const auto found = FindDifferences(Stays(600, FewDaysAfter, random), kKinds, 2);
  ASSERT_EQ(found.size(), 3u);
  ASSERT_EQ(found[0].size(), 1u);
  ASSERT_EQ(found[1].size(), 1u);
  EXPECT_TRUE(found[2].empty());
  EXPECT_EQ(found[0][0].from, 1u);
  EXPECT_EQ(found[1][0].from, 0u);
  EXPECT_FALSE(found[1][0].is_sum);
  const auto falling =
      FindDifferences(Stays(
                          600, [](Code begin, auto& draw) { return kEnds - 1 - FewDaysAfter(begin, draw); }, random),
                      kKinds, 1);
  ASSERT_EQ(falling[1].size(), 1u);
  EXPECT_TRUE(falling[1][0].is_sum);
}

TEST(FindDifferences, FindsNoneWhereThereIsNone) {
  std::mt19937_64 random(2);
  const auto by_chance = [](Code, auto& draw) { return static_cast<Code>(draw() % kEnds); };
  for (const auto& of_column : FindDifferences(Stays(2000, by_chance, random), kKinds, 1)) {
    EXPECT_TRUE(of_column.empty());
  }
  // Of too few rows to tell.
  for (const auto& of_column : FindDifferences(Stays(20, FewDaysAfter, random), kKinds, 1)) {
    EXPECT_TRUE(of_column.empty());
  }
}

// What it tells of rows, each by all others, holds for rows that nobody has seen.
TEST(FindDifferences, GainsAsMuchAsItSays) {
  std::mt19937_64 random(3);
  const std::vector<Follow> ways = {FewDaysAfter, [](Code begin, auto&) { return begin + 9; },
                                    // Round numbers are given more often.
                                    [](Code begin, auto& draw) {
                                      const Code end = FewDaysAfter(begin, draw);
                                      return draw() % 2 == 0 ? end : (end + 4) / 8 * 8;
                                    }};
  for (const Follow& follow : ways) {
    const WeightedRows rows = Stays(800, follow, random);
    const WeightedRows fresh = Stays(4000, follow, random);
    const Difference difference = FindDifferences(rows, kKinds, 1)[1].at(0);
    EXPECT_EQ(difference.is_weighted, &follow == &ways[2]);
    EXPECT_NEAR(MeanLnP(rows, fresh, difference) - MeanLnShare(rows, fresh), difference.gain, 0.06);
  }
}

// Fractional weights, the heaviest of which is a hundred times another one.
TEST(FindDifferences, GainsAsMuchAsItSaysOfRowsOfAnyWeight) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> spread(0, 1);
  const WeightedRows fresh = Stays(4000, FewDaysAfter, random);
  CodeTable codes = Stays(2000, FewDaysAfter, random).codes;
  std::vector<double> weights(2000);
  for (double& weight : weights) weight = spread(random);
  const WeightedRows rows = MakeWeightedRows(std::move(codes), weights);
  ASSERT_GT(rows.CopyRows(), 5);
  const Difference difference = FindDifferences(rows, kKinds, 1)[1].at(0);
  const auto counts = rows.CountCategories(1, kEnds);
  double by_share = 0;
  for (std::size_t i = 0; i < fresh.codes.rows; ++i) {
    const double count = rows.unit * static_cast<double>(counts[fresh.codes.columns[1].At(i)]);
    by_share += std::log((count + 0.5) / (rows.TotalRows() + 0.5 * kEnds)) / 4000;
  }
  EXPECT_NEAR(MeanLnP(rows, fresh, difference) - by_share, difference.gain, 0.1);
}

// Equal rows of fractional weights that were merged, and columns that share two rows with both.
TEST(FindDifferences, IsNotMisledByMergedRowsOrByChance) {
  std::mt19937_64 random(9);
  const ColumnKinds kinds = {std::vector<Code>(14, 60), std::vector<bool>(14, true), std::vector<bool>(14, true)};
  WeightedRows rows{CodeTable::WithSizes(600, kinds.sizes), {}, 1};
  for (std::size_t i = 0; i < 600; ++i) {
    for (Feature j = 2; j < 14; ++j) rows.codes.columns[j].Set(i, i < 2 ? static_cast<Code>(i * j) : 59);  // missing
    const auto begin = static_cast<Code>(random() % 20);
    rows.codes.columns[0].Set(i, begin);
    rows.codes.columns[1].Set(i, begin + 30);
  }
  std::vector<double> weights(600, 1);
  weights[5] = 0.5;
  const WeightedRows merged = MergeEqualRows(MakeWeightedRows(rows.codes, weights));
  ASSERT_LT(merged.codes.rows, 30u);
  for (const WeightedRows& some : {rows, merged}) {
    const auto found = FindDifferences(some, kinds, 1);
    ASSERT_EQ(found[1].size(), 1u);
    EXPECT_EQ(found[1][0].from, 0u);
  }
}

TEST(LearnDifference, SaysNothingOfFewRows) {
  std::mt19937_64 random(8);
  const Difference difference = FindDifferences(Stays(600, FewDaysAfter, random), kKinds, 1)[1].at(0);
  for (const std::size_t count : {0, 1, 10}) {
    const auto logits = LearnDifference(Stays(count, FewDaysAfter, random), 1, difference, BalancedQuestions(kEnds));
    EXPECT_EQ(logits, std::vector<std::vector<Logit>>(kEnds - 1));
  }
}

// So much the better than a table of counts.
TEST(LearnDifference, KnowsCategoriesWithoutRows) {
  std::mt19937_64 random(4);
  const auto follow = [](Code begin, auto&) { return begin + 5; };
  WeightedRows rows = Stays(500, follow, random);
  for (std::size_t i = 0; i < rows.codes.rows; ++i) {
    if (rows.codes.columns[0].At(i) != 30) continue;
    rows.codes.columns[0].Set(i, 10);
    rows.codes.columns[1].Set(i, 15);
  }
  const std::vector<Question> questions = BalancedQuestions(kEnds);
  const auto logits = LearnDifference(rows, 1, FindDifferences(rows, kKinds, 1)[1].at(0), questions);
  EXPECT_GT(Distribution(questions, logits, 30)[35], 0.9);
}

TEST(LearnDifference, LeavesMissingValuesAsFrequentAsTheyAre) {
  std::mt19937_64 random(5);
  const auto follow = [](Code begin, auto& draw) -> Code { return draw() % 4 == 0 ? kEnds - 1 : begin + 2; };
  ColumnKinds kinds = kKinds;
  kinds.has_missing = {false, true, false};
  const WeightedRows rows = Stays(2000, follow, random);
  const Difference difference = FindDifferences(rows, kinds, 1)[1].at(0);
  EXPECT_EQ(difference.values, kEnds - 1);
  const auto missing = static_cast<double>(rows.CountCategories(1, kEnds).back()) / 2000;
  const std::vector<Question> questions = HuffmanQuestions(rows.CountCategories(1, kEnds));
  const auto logits = LearnDifference(rows, 1, difference, questions);
  for (Code begin = 0; begin < kBegins; ++begin) {
    EXPECT_NEAR(Distribution(questions, logits, begin).back(), missing, 0.02) << begin;
  }
}

TEST(LearnDifference, TakesAWeightForSoManyRows) {
  std::mt19937_64 random(6);
  WeightedRows weighted = Stays(300, FewDaysAfter, random);
  std::vector<std::size_t> copies;
  for (std::size_t i = 0; i < weighted.codes.rows; ++i) {
    weighted.weights.push_back(1 + i % 3);
    copies.insert(copies.end(), weighted.weights[i], i);
  }
  const WeightedRows apart = {weighted.codes.Select(copies), {}, 1};
  const Difference difference = FindDifferences(weighted, kKinds, 1)[1].at(0);
  const Difference of_copies = FindDifferences(apart, kKinds, 1)[1].at(0);
  EXPECT_EQ(difference.gain, of_copies.gain);
  const std::vector<Question> questions = BalancedQuestions(kEnds);
  EXPECT_EQ(LearnDifference(weighted, 1, difference, questions), LearnDifference(apart, 1, of_copies, questions));
}

}  // namespace
}  // namespace dtf
