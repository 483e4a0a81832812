#include "learn/classes/term_classes.h"

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "count/target_test_util.h"
#include "learn/classes/two_classes_test_util.h"
#include "learn/forest/judge.h"
#include "learn/mean_nll.h"

namespace dtf {
namespace {

std::shared_ptr<const MixtureFlow> Fit(const WeightedRows& rows, const std::vector<Code>& sizes,
                                       const TermClassOptions& options) {
  const ColumnQuestions columns = ChooseQuestions(rows, sizes, std::vector<bool>(sizes.size(), false));
  return FitClassFlow(columns, rows, options, 1, {.rows = 1, .alpha = 0, .closed = true});
}

double Nats(const WeightedRows& rows, const WeightedRows& new_rows, const std::vector<Code>& sizes,
            const TermClassOptions& options) {
  return MeanNll(*Fit(rows, sizes, options), new_rows, 1);
}

// The entropy of TwoClasses, as its rows say.
double TrueNats(const WeightedRows& rows) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.codes.rows; ++i) {
    double mean = 0;
    for (const std::size_t hidden : {0, 0, 1}) {
      double probability = 1.0 / 3;
      for (std::size_t j = 0; j < kSizes.size(); ++j) {
        probability *= 0.2 / kSizes[j] + (rows.codes.columns[j].At(i) == hidden % kSizes[j] ? 0.8 : 0);
      }
      mean += probability;
    }
    sum -= std::log(mean);
  }
  return sum / static_cast<double>(rows.codes.rows);
}

// Pairs of columns, the second one as the first or, one of eight times, the other value; and as many columns that are
// what a class says or, one of four times, the other value.
constexpr std::size_t kPairs = 8;
const std::vector<Code> kPairsAndClass(3 * kPairs, 2);

WeightedRows PairsAndClass(std::size_t count, std::mt19937_64& random) {
  WeightedRows rows{CodeTable::WithSizes(count, kPairsAndClass), {}, 1};
  for (std::size_t i = 0; i < count; ++i) {
    const Code hidden = random() % 2;
    for (std::size_t j = 0; j < kPairs; ++j) {
      const Code value = random() % 2;
      rows.codes.columns[3 * j].Set(i, value);
      rows.codes.columns[3 * j + 1].Set(i, random() % 8 == 0 ? 1 - value : value);
      rows.codes.columns[3 * j + 2].Set(i, random() % 4 == 0 ? 1 - hidden : hidden);
    }
  }
  return rows;
}

// The entropy: of the pairs, and of the class's columns by the number of those that agree with it.
double NatsOfPairsAndClass() {
  double nats = kPairs * (std::log(2) - std::log(0.125) / 8 - 7 * std::log(0.875) / 8);
  double ways = 1;
  for (std::size_t k = 0; k <= kPairs; ++k) {
    const double probability =
        (std::pow(0.75, k) * std::pow(0.25, kPairs - k) + std::pow(0.25, k) * std::pow(0.75, kPairs - k)) / 2;
    nats -= ways * probability * std::log(probability);
    ways *= static_cast<double>(kPairs - k) / static_cast<double>(k + 1);
  }
  return nats;
}

TEST(TermClasses, AreNearlyAsLikelyAsWhatMadeTheRows) {
  std::mt19937_64 random(2);
  const WeightedRows rows = TwoClasses(2000, random);
  const WeightedRows new_rows = TwoClasses(2000, random);
  const double truth = TrueNats(new_rows);
  const std::vector<Feature> order = {1, 0, 2, 3, 4};
  EXPECT_NEAR(Nats(rows, new_rows, kSizes, {.passes = 40, .order = order}), truth, 0.02);
  EXPECT_GT(Nats(rows, new_rows, kSizes, {.passes = 0, .order = order}), truth + 0.2);
}

// A few classes cannot know all pairs, and pairs say nothing of a class.
TEST(TermClasses, LeanOnEarlierColumnsByTheirTerms) {
  std::mt19937_64 random(3);
  const WeightedRows rows = PairsAndClass(4000, random);
  const WeightedRows new_rows = PairsAndClass(4000, random);
  const double truth = NatsOfPairsAndClass();
  const TermClassOptions options{.classes = 32, .passes = 50, .order = NaturalOrder(kPairsAndClass.size())};
  const double nats = Nats(rows, new_rows, kPairsAndClass, options);
  EXPECT_LT(nats, truth + 0.3);
  EXPECT_GT(nats, truth);
  const ColumnQuestions columns =
      ChooseQuestions(rows, kPairsAndClass, std::vector<bool>(kPairsAndClass.size(), false));
  const auto alone = FitClassFlow(columns, rows, SmoothClassOptions{.passes = 50, .decay = 0}, 1,
                                  {.rows = 1, .alpha = 0, .closed = true});
  EXPECT_GT(MeanNll(*alone, new_rows, 1), truth + 1);
}

TEST(TermClasses, TakeAWeightForSoManyRows) {
  std::mt19937_64 random(3);
  const WeightedRows rows = TwoClasses(60, random);
  WeightedRows weighted = rows;
  weighted.weights.assign(60, 4);
  weighted.unit = 0.25;
  const TermClassOptions options{.classes = 32, .passes = 10, .order = NaturalOrder(kSizes.size())};
  EXPECT_EQ(Nats(rows, rows, kSizes, options), Nats(weighted, rows, kSizes, options));
}

TEST(TermClasses, HaveFewerTermsTheMoreTheseCost) {
  std::mt19937_64 random(6);
  const WeightedRows rows = PairsAndClass(1000, random);
  const auto count_terms = [&](double penalty) {
    const auto flow =
        Fit(rows, kPairsAndClass,
            {.classes = 32, .passes = 20, .penalty = penalty, .order = NaturalOrder(kPairsAndClass.size())});
    std::size_t terms = 0;
    const auto& first = dynamic_cast<const AutoregressiveFlow&>(*flow->members().front());
    for (Feature j = 0; j < kPairsAndClass.size(); ++j) terms += first.conditioner(j).questions[0].terms.size();
    return terms;
  };
  // Of 23 · 12 pairs of columns eight lean on each other.
  EXPECT_GT(count_terms(0.1), 200u);
  EXPECT_LT(count_terms(30), 100u);
  EXPECT_GE(count_terms(30), kPairs);
  EXPECT_EQ(count_terms(1e4), 0u);
}

// Cells without a category, and categories without a row.
TEST(TermClasses, HaveAProbabilityForAllCategories) {
  std::mt19937_64 random(4);
  WeightedRows rows = TwoClasses(60, random);
  for (int cell = 0; cell < 20; ++cell) {
    const std::size_t j = random() % kSizes.size();
    rows.codes.columns[j].Set(random() % 60, kSizes[j]);
  }
  for (std::size_t i = 0; i < 60; ++i) {
    if (rows.codes.columns[0].At(i) == 2) rows.codes.columns[0].Set(i, 0);
  }
  const auto flow = Fit(rows, kSizes, {.classes = 32, .passes = 10, .order = {4, 3, 2, 1, 0}});
  ASSERT_EQ(flow->members().size(), 32u);
  double mass = 0;
  CodeBlock row(1, kSizes.size());
  for (std::size_t number = 0; number < 3 * 2 * 1 * 4 * 5; ++number) {
    std::size_t rest = number;
    for (std::size_t j = 0; j < kSizes.size(); ++j) {
      row[j][0] = static_cast<Code>(rest % kSizes[j]);
      rest /= kSizes[j];
    }
    double score = 0;
    flow->LogProb(row, {&score, 1});
    EXPECT_GT(score, -40);
    mass += std::exp(score);
  }
  EXPECT_NEAR(mass, 1, 1e-9);
}

TEST(TermClasses, DoNotDependOnTheInstructionSet) {
  std::mt19937_64 random(5);
  const WeightedRows rows = TwoClasses(50, random);
  const TermClassOptions options{.classes = 32, .passes = 10, .order = {2, 0, 4, 1, 3}};
  const double expected = Nats(rows, rows, kSizes, options);
  OnEachTarget([&] { EXPECT_EQ(Nats(rows, rows, kSizes, options), expected); });
}

}  // namespace
}  // namespace dtf
