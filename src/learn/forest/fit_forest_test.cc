#include "learn/forest/fit_forest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "count/target_test_util.h"
#include "flow/autoregressive_flow.h"
#include "flow/fixed_members.h"
#include "flow/mixture_flow.h"
#include "flow/score_table.h"
#include "flow/sibling_members.h"
#include "learn/forest/growth.h"
#include "learn/forest/judge.h"
#include "learn/forest/merge_rows.h"

namespace dtf {
namespace {

constexpr ConditionerKind kKinds[] = {ConditionerKind::kAuto, ConditionerKind::kTree, ConditionerKind::kLinear,
                                      ConditionerKind::kBoosted};

struct Columns : ColumnKinds {
  Columns() : Columns({3, 1, 5, 2, 4}, {false, false, true, false, false}) {}
  Columns(std::vector<Code> of_sizes, std::vector<bool> are_ordered)
      : ColumnKinds{std::move(of_sizes), std::move(are_ordered), {}, {}} {}
};

// Columns that depend on each other, the second one constant. unseen: one cell of so many has no category; 0: none.
CodeTable RandomCodes(std::size_t rows, const std::vector<Code>& sizes, unsigned unseen, std::mt19937_64& random) {
  CodeTable table = CodeTable::WithSizes(rows, sizes);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      auto code = static_cast<Code>(std::min(random() % sizes[j], random() % sizes[j]));
      if (j > 1 && random() % 4 != 0) code = (table.columns[j - 2].At(i) + table.columns[0].At(i)) % sizes[j];
      table.columns[j].Set(i, unseen != 0 && random() % unseen == 0 ? sizes[j] : code);
    }
  }
  return table;
}

ForestFit Fit(const WeightedRows& rows, const std::optional<WeightedRows>& valid, const Columns& columns,
              const ForestOptions& options, const HeldOut& hold_out = {}) {
  return FitForest(rows, valid, columns, hold_out, options, [](const FlowProgress&) {});
}

// All rows of the domain, with unseen slots on request.
CodeTable Domain(std::vector<Code> sizes, bool slots) {
  CodeTable table = CodeTable::WithSizes(1, sizes);
  std::size_t rows = 1;
  for (Code& size : sizes) rows *= size += slots ? 1 : 0;
  table = CodeTable::WithSizes(rows, sizes);
  for (std::size_t i = 0; i < rows; ++i) {
    std::size_t rest = i;
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      table.columns[j].Set(i, static_cast<Code>(rest % sizes[j]));
      rest /= sizes[j];
    }
  }
  return table;
}

double Mass(const Flow& flow, bool slots) {
  double sum = 0;
  for (const double score : ScoreTable(flow, Domain(flow.sizes(), slots), 1)) {
    EXPECT_LE(score, 0);
    sum += std::exp(score);
  }
  return sum;
}

double MeanNll(const Flow& flow, const WeightedRows& rows) {
  const auto scores = ScoreTable(flow, rows.codes, 1);
  double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) sum -= rows.RowWeight(i) * scores[i];
  return sum / rows.TotalRows();
}

std::vector<const AutoregressiveFlow*> MembersOf(const Flow& flow) {
  if (const auto* alone = dynamic_cast<const AutoregressiveFlow*>(&flow)) return {alone};
  std::vector<const AutoregressiveFlow*> members;
  for (const auto& member : dynamic_cast<const MixtureFlow&>(flow).members()) {
    members.push_back(&dynamic_cast<const AutoregressiveFlow&>(*member));
  }
  return members;
}

std::vector<double> WeightsOf(const Flow& flow) {
  const auto* mixture = dynamic_cast<const MixtureFlow*>(&flow);
  return mixture == nullptr ? std::vector<double>{} : mixture->weights();
}

// To the last bit.
void ExpectSameFit(const ForestFit& a, const ForestFit& b) {
  EXPECT_EQ(WeightsOf(*a.flow), WeightsOf(*b.flow));
  const auto members = MembersOf(*a.flow);
  const auto others = MembersOf(*b.flow);
  ASSERT_EQ(members.size(), others.size());
  for (std::size_t m = 0; m < members.size(); ++m) {
    EXPECT_EQ(members[m]->order(), others[m]->order());
    EXPECT_EQ(members[m]->tests(), others[m]->tests());
    for (Feature j = 0; j < a.flow->sizes().size(); ++j) {
      EXPECT_EQ(members[m]->conditioner(j), others[m]->conditioner(j));
    }
  }
  const CodeTable domain = Domain(a.flow->sizes(), true);
  EXPECT_EQ(ScoreTable(*a.flow, domain, 1), ScoreTable(*b.flow, domain, 1));
  EXPECT_EQ(a.train_nll, b.train_nll);
  EXPECT_EQ(a.valid_nll, b.valid_nll);
  EXPECT_EQ(a.choices, b.choices);
}

ForestOptions RandomOptions(std::mt19937_64& random) {
  ForestOptions options;
  options.conditioner = kKinds[random() % 4];
  options.order = std::array{OrderKind::kAuto, OrderKind::kNatural, OrderKind::kRandom}[random() % 3];
  options.members = static_cast<int>(1 + random() % 3);
  options.conditional_base = random() % 3 != 0;
  options.closed = random() % 3 == 0;
  options.seed = random();
  return options;
}

TEST(FitForest, DependsNeitherOnThreadsNorOnTheOrderOfRows) {
  std::mt19937_64 random(1);
  const Columns columns;
  for (int round = 0; round < 8; ++round) {
    SCOPED_TRACE(round);
    const WeightedRows rows{RandomCodes(30 + random() % 100, columns.sizes, 0, random), {}, 1};
    std::optional<WeightedRows> valid;
    if (round % 2 == 1) valid = WeightedRows{RandomCodes(40, columns.sizes, 0, random), {}, 1};
    ForestOptions options = RandomOptions(random);
    const ForestFit expected = Fit(rows, valid, columns, options);
    std::vector<std::size_t> order(rows.codes.rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (const int threads : {2, 3}) {
      options.threads = threads;
      std::shuffle(order.begin(), order.end(), random);
      ExpectSameFit(Fit({rows.codes.Select(order), {}, 1}, valid, columns, options), expected);
    }
  }
}

TEST(FitForest, DoesNotDependOnTheInstructionSet) {
  std::mt19937_64 random(2);
  const Columns columns;
  for (const ConditionerKind kind : kKinds) {
    const bool weighted = kind == ConditionerKind::kBoosted || kind == ConditionerKind::kLinear;
    WeightedRows rows{RandomCodes(60, columns.sizes, 0, random), {}, 1};
    for (std::size_t i = 0; weighted && i < rows.codes.rows; ++i) rows.weights.push_back(1 + random() % 3);
    ForestOptions options;
    options.conditioner = kind;
    options.members = 1;
    const ForestFit expected = Fit(rows, std::nullopt, columns, options);
    OnEachTarget([&] { ExpectSameFit(Fit(rows, std::nullopt, columns, options), expected); });
  }
}

// Weight 0 too: a row that is not there.
TEST(FitForest, TakesAWeightForSoManyRows) {
  std::mt19937_64 random(3);
  const Columns columns;
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE(round);
    const CodeTable codes = Domain(columns.sizes, false);
    std::vector<double> weights;
    std::vector<std::size_t> copies;
    for (std::size_t i = 0; i < codes.rows; ++i) {
      weights.push_back(static_cast<double>(random() % (round % 3 == 0 ? 2 : 4)));
      copies.insert(copies.end(), static_cast<std::size_t>(weights.back()), i);
    }
    const ForestOptions options = RandomOptions(random);
    ExpectSameFit(Fit(MakeWeightedRows(codes, weights), std::nullopt, columns, options),
                  Fit({codes.Select(copies), {}, 1}, std::nullopt, columns, options));
  }
}

TEST(FitForest, GivesADistributionAndSaysItsLosses) {
  std::mt19937_64 random(4);
  const Columns columns;
  for (int round = 0; round < 12; ++round) {
    const ForestOptions options = RandomOptions(random);
    WeightedRows rows{RandomCodes(1 + random() % 150, columns.sizes, 0, random), {}, 1};
    const ForestFit fit = Fit(rows, std::nullopt, columns, options);
    EXPECT_NEAR(Mass(*fit.flow, false), 1 - fit.flow->Unseen().mass, 1e-9);
    EXPECT_EQ(fit.flow->Unseen().mass == 0, options.closed);
    if (!options.closed) {
      EXPECT_NEAR(Mass(*fit.flow, true), 1, 1e-9);
    }
    EXPECT_NEAR(fit.train_nll, MeanNll(*fit.flow, rows), 1e-9 * fit.train_nll + 1e-12);
  }
}

// Enough rows judge alone, and what they judge is the flow, where they have not chosen how much it learnt.
TEST(FitForest, SaysTheLossOfTheRowsThatJudge) {
  std::mt19937_64 random(5);
  const Columns columns;
  for (const ConditionerKind kind : {ConditionerKind::kTree, ConditionerKind::kLinear}) {
    const WeightedRows rows{RandomCodes(200, columns.sizes, 0, random), {}, 1};
    WeightedRows valid{RandomCodes(60, columns.sizes, 20, random), {}, 1};
    for (std::size_t i = 0; i < valid.codes.rows; ++i) valid.weights.push_back(10 + random() % 10);
    ForestOptions options;
    options.conditioner = kind;
    for (const int members : {1, 4}) {
      options.members = members;
      const ForestFit fit = Fit(rows, valid, columns, options);
      ASSERT_TRUE(fit.valid_nll.has_value());
      EXPECT_NEAR(*fit.valid_nll, MeanNll(*fit.flow, valid), 1e-9 * *fit.valid_nll);
    }
  }
}

// Of a table too large for cross-validation a share is held out.
TEST(FitForest, JudgesLargeTablesByAShareOfTheirRows) {
  std::mt19937_64 random(6);
  const Columns columns = {std::vector<Code>(40, 3), std::vector<bool>(40, false)};
  const WeightedRows rows{RandomCodes(5000, columns.sizes, 0, random), {}, 1};
  ForestOptions options;
  options.conditioner = ConditionerKind::kTree;
  options.members = 1;
  const ForestFit fit = Fit(rows, std::nullopt, columns, options, {.fraction = 0.2, .refit = false});
  EXPECT_NEAR(*fit.valid_nll, MeanNll(*fit.flow, HoldOut(rows, 0.2).second), 1e-9 * *fit.valid_nll);
  const ForestFit again = Fit(rows, std::nullopt, columns, options, {.fraction = 0.2, .refit = true});
  EXPECT_EQ(again.valid_nll, fit.valid_nll);
  EXPECT_LT(again.train_nll, fit.train_nll);  // of all rows, which it has seen
}

// Each column's mean -ln of its own frequency.
double MarginalNll(const WeightedRows& rows) {
  double nll = 0;
  for (const CodeColumn& column : rows.codes.columns) {
    std::map<Code, double> counts;
    for (std::size_t i = 0; i < rows.codes.rows; ++i) ++counts[column.At(i)];
    const auto total = static_cast<double>(rows.codes.rows);
    for (const auto& [code, count] : counts) nll -= count / total * std::log(count / total);
  }
  return nll;
}

TEST(FitForest, FindsWhatColumnsHaveToDoWithEachOther) {
  std::mt19937_64 random(7);
  const Columns columns = {{4, 4, 4, 4}, {false, true, false, false}};
  const auto draw = [&] {
    WeightedRows rows{CodeTable::WithSizes(600, columns.sizes), {}, 1};
    for (std::size_t i = 0; i < rows.codes.rows; ++i) {
      const auto first = static_cast<Code>(random() % 4);
      for (std::size_t j = 0; j < 4; ++j) {
        const Code code = random() % 10 == 0 ? static_cast<Code>(random() % 4) : (first + static_cast<Code>(j)) % 4;
        rows.codes.columns[j].Set(i, code);
      }
    }
    return rows;
  };
  const WeightedRows rows = draw();
  const WeightedRows test = draw();
  for (const ConditionerKind kind : kKinds) {
    ForestOptions options;
    options.conditioner = kind;
    options.members = 2;
    const ForestFit fit = Fit(rows, std::nullopt, columns, options);
    EXPECT_LT(MeanNll(*fit.flow, test), 0.65 * MarginalNll(test));
    EXPECT_LT(*fit.valid_nll, 0.65 * MarginalNll(rows));
  }
}

TEST(FitForest, HasTheMembersAndTheOrderAskedFor) {
  std::mt19937_64 random(8);
  const Columns columns;
  const WeightedRows rows{RandomCodes(100, columns.sizes, 0, random), {}, 1};
  ForestOptions options;
  options.conditioner = ConditionerKind::kTree;
  options.order = OrderKind::kGiven;
  options.given_order = {3, 0, 4, 1, 2};
  for (const int members : {1, 3}) {  // averaged trees in one order: all say the same, so one is kept
    options.members = members;
    std::vector<LearningCurvePoint> heard;
    const ForestFit fit = FitForest(rows, std::nullopt, columns, {}, options, [&](const FlowProgress& progress) {
      EXPECT_EQ(progress.step, FitStep::kMember);
      EXPECT_EQ(progress.of, members);
      heard.push_back(progress.point);
    });
    ASSERT_EQ(dynamic_cast<const MixtureFlow*>(fit.flow.get()), nullptr);
    EXPECT_EQ(MembersOf(*fit.flow)[0]->order(), options.given_order);
    EXPECT_EQ(fit.curve.size(), static_cast<std::size_t>(members));
    EXPECT_EQ(heard.size(), fit.curve.size());
  }
  options.order = OrderKind::kNatural;
  options.members = 1;
  EXPECT_EQ(MembersOf(*Fit(rows, std::nullopt, columns, options).flow)[0]->order(),
            (std::vector<Feature>{0, 1, 2, 3, 4}));
  options.order = OrderKind::kRandom;
  options.members = 4;
  const ForestFit fit = Fit(rows, std::nullopt, columns, options);
  ASSERT_GT(MembersOf(*fit.flow).size(), 1u);
  EXPECT_NE(MembersOf(*fit.flow)[0]->order(), MembersOf(*fit.flow)[1]->order());
}

// Two parties that agree on every question, but for one vote of eight.
CodeTable Votes(std::size_t rows, std::size_t columns, std::mt19937_64& random) {
  CodeTable table = CodeTable::WithSizes(rows, std::vector<Code>(columns, 2));
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t party = random() % 2;
    for (std::size_t j = 0; j < columns; ++j) {
      table.columns[j].Set(i, static_cast<Code>((party + j + (random() % 8 == 0 ? 1 : 0)) % 2));
    }
  }
  return table;
}

// The members that are classes of latent class models: of columns that say nothing of each other, or alike but for
// their biases.
std::vector<std::shared_ptr<const Flow>> LatentClassesOf(const Flow& flow) {
  std::vector<std::shared_ptr<const Flow>> classes;
  const auto* mixture = dynamic_cast<const MixtureFlow*>(&flow);
  if (mixture == nullptr) return classes;
  const auto& members = mixture->members();
  const FixedMembers fixed(members);
  const SiblingMembers siblings(members);
  for (const std::size_t m : fixed.positions()) classes.push_back(members[m]);
  for (const std::size_t m : siblings.positions()) classes.push_back(members[m]);
  return classes;
}

// Where rows are many, too: in the end those that all rows teach, which know the held-out ones better then.
TEST(FitForest, AddsLatentClassesThatHaveSeenAllRows) {
  std::mt19937_64 random(14);
  constexpr std::size_t kColumns = 40;
  const Columns columns = {std::vector<Code>(kColumns, 2), std::vector<bool>(kColumns, false)};
  const WeightedRows rows = MergeEqualRows({Votes(4000, kColumns, random), {}, 1});
  ASSERT_FALSE(Judge::CrossValidates(rows, nullptr));
  constexpr double kFraction = 0.25;
  const ForestOptions options;
  bool told_again = false;  // that they are learnt from all rows
  const ForestFit fit = FitForest(
      rows, std::nullopt, columns, {.fraction = kFraction, .refit = true}, options, [&](const FlowProgress& progress) {
        told_again |= progress.refit && progress.step == FitStep::kPhase && progress.note == "learning latent models";
      });
  const auto classes = LatentClassesOf(*fit.flow);
  ASSERT_GT(classes.size(), 0u);
  EXPECT_TRUE(told_again);
  const MixtureFlow of_all(classes, std::vector<double>(classes.size(), 1 / static_cast<double>(classes.size())));

  const auto [train, held_out] = HoldOut(rows, kFraction);
  const SmoothClassOptions same{.passes = 40, .decay = 0.3};
  const auto of_train = FitClassFlow(ChooseQuestions(train, columns.sizes, columns.ordered), train, same, options.seed,
                                     {.rows = 4000, .alpha = options.alpha, .closed = options.closed});
  EXPECT_LT(MeanNll(of_all, held_out), MeanNll(*of_train, held_out));
}

TEST(FitForest, AddsLatentClassesWhereRowsAreFew) {
  std::mt19937_64 random(12);
  const Columns columns = {std::vector<Code>(10, 2), std::vector<bool>(10, false)};
  const WeightedRows rows{Votes(80, 10, random), {}, 1};
  const WeightedRows test{Votes(2000, 10, random), {}, 1};
  const ForestFit fit = Fit(rows, std::nullopt, columns, {});
  EXPECT_GE(LatentClassesOf(*fit.flow).size(), 4u);
  EXPECT_NEAR(Mass(*fit.flow, true), 1, 1e-9);
  ForestOptions without;
  without.members = kMostMembers;
  const ForestFit trees = Fit(rows, std::nullopt, columns, without);
  EXPECT_EQ(LatentClassesOf(*trees.flow).size(), 0u);
  EXPECT_LT(MeanNll(*fit.flow, test), MeanNll(*trees.flow, test));
}

// The first column is what most of the others say. Asked last, it adds up votes that have nothing to do with each
// other.
TEST(FitForest, FindsTheOrderThatEndsWithTheFirstColumn) {
  std::mt19937_64 random(13);
  const Columns columns = {std::vector<Code>(8, 2), std::vector<bool>(8, false)};
  CodeTable codes = CodeTable::WithSizes(400, columns.sizes);
  for (std::size_t i = 0; i < codes.rows; ++i) {
    int yes = 0;
    for (std::size_t j = 1; j < 8; ++j) {
      const auto code = static_cast<Code>(random() % 2);
      codes.columns[j].Set(i, code);
      yes += static_cast<int>(code);
    }
    codes.columns[0].Set(i, yes > 3 ? 1 : 0);
  }
  const ForestFit fit = Fit({codes, {}, 1}, std::nullopt, columns, {});
  for (const AutoregressiveFlow* member : MembersOf(*fit.flow)) {
    if (member->tests().empty()) continue;
    EXPECT_EQ(member->order().back(), 0u);
  }
}

// What a time allows for, its number of members gives, too.
TEST(FitForest, OfATimeIsThatOfItsMembers) {
  std::mt19937_64 random(15);
  const Columns columns;
  for (const std::size_t size : {20, 30, 150}) {
    const WeightedRows rows{RandomCodes(size, columns.sizes, 0, random), {}, 1};
    for (const double seconds : {0.0, 0.03, 0.06, 0.1, 0.2}) {
      ForestOptions options;
      options.seconds = seconds;
      const ForestFit timed = Fit(rows, std::nullopt, columns, options);
      if (seconds == 0) {
        EXPECT_EQ(timed.curve.size(), 1u);
      }
      options.seconds.reset();
      options.members = static_cast<int>(timed.curve.size());
      const ForestFit counted = Fit(rows, std::nullopt, columns, options);
      EXPECT_EQ(timed.valid_nll, counted.valid_nll);
      EXPECT_EQ(WeightsOf(*timed.flow), WeightsOf(*counted.flow));
      EXPECT_EQ(ScoreTable(*timed.flow, rows.codes, 1), ScoreTable(*counted.flow, rows.codes, 1));
    }
  }
}

// The first column says whether the others are all but certain, or chance.
CodeTable CertainOrNot(std::size_t rows, const std::vector<Code>& sizes, std::mt19937_64& random) {
  CodeTable table = CodeTable::WithSizes(rows, sizes);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto chance = static_cast<Code>(random() % 2);
    table.columns[0].Set(i, chance);
    for (std::size_t j = 1; j < sizes.size(); ++j) {
      table.columns[j].Set(i, static_cast<Code>(chance == 1 || random() % 40 == 0 ? random() % 2 : 0));
    }
  }
  return table;
}

// Learnt from these rows by cross-validation, or with others to judge, few or many, the held-out figure is that of the
// flow that is made: what new rows have in the mean, but for chance.
TEST(FitForest, OfAnIndependentBaseIsJudgedWithIt) {
  std::mt19937_64 random(17);
  const Columns columns = {std::vector<Code>(6, 2), std::vector<bool>(6, false)};
  const WeightedRows fresh{CertainOrNot(20'000, columns.sizes, random), {}, 1};
  for (const std::size_t judging : {0, 40, 3000}) {
    const WeightedRows rows{CertainOrNot(1000, columns.sizes, random), {}, 1};
    std::optional<WeightedRows> valid;
    if (judging > 0) valid = WeightedRows{CertainOrNot(judging, columns.sizes, random), {}, 1};
    ForestOptions options;
    options.conditional_base = false;
    options.members = 1;
    const ForestFit fit = Fit(rows, valid, columns, options);
    EXPECT_NEAR(*fit.valid_nll, MeanNll(*fit.flow, fresh), 0.1) << judging;
    options.conditional_base = true;
    EXPECT_LT(MeanNll(*Fit(rows, valid, columns, options).flow, fresh), MeanNll(*fit.flow, fresh) - 0.3);
  }
}

// Rows to judge by may know nothing of the categories: the base is counted from those that were learnt from, then.
TEST(FitForest, OfAnIndependentBaseSurvivesStrangersThatJudge) {
  std::mt19937_64 random(18);
  const Columns columns;
  const WeightedRows rows{RandomCodes(1000, columns.sizes, 0, random), {}, 1};
  const WeightedRows strangers{RandomCodes(600, columns.sizes, 1, random), {}, 1};
  ForestOptions options;
  options.conditional_base = false;
  options.members = 1;
  const ForestFit fit = Fit(rows, strangers, columns, options);
  EXPECT_LT(fit.flow->Unseen().mass, 0.01);
  EXPECT_LT(MeanNll(*fit.flow, rows), 4.5);  // uniform: 4.8
}

// Whether columns get orders of their own must not depend on how many members there will be. The first column has a
// part of the others' votes: some tables are a little better without orders of their own, as long as these are few.
TEST(FitForest, OfManyMembersBeginsWithThoseOfFew) {
  std::mt19937_64 random(16);
  const Columns columns = {std::vector<Code>(6, 2), std::vector<bool>(6, false)};
  for (int round = 0; round < 20; ++round) {
    WeightedRows rows{CodeTable::WithSizes(200, columns.sizes), {}, 1};
    for (std::size_t i = 0; i < 200; ++i) {
      Code votes = 0;
      for (std::size_t j = 1; j < 6; ++j) {
        const auto code = static_cast<Code>(random() % 2);
        rows.codes.columns[j].Set(i, code);
        votes += code;
      }
      rows.codes.columns[0].Set(i, random() % 20 < static_cast<unsigned>(round) ? random() % 2 : votes > 2);
    }
    ForestOptions options;
    options.conditioner = ConditionerKind::kBoosted;
    options.members = 2;
    const auto few = Fit(rows, std::nullopt, columns, options).curve;
    options.members = 8;
    const auto many = Fit(rows, std::nullopt, columns, options).curve;
    ASSERT_EQ(few.size(), 2U);
    for (std::size_t m = 0; m < few.size(); ++m) EXPECT_EQ(few[m].valid_nll, many[m].valid_nll) << "round " << round;
  }
}

// Weights that are all the same say nothing; nor does a row judge what a part of it has taught.
TEST(FitForest, TakesEqualFractionalWeightsForNone) {
  std::mt19937_64 random(16);
  const Columns columns;
  const CodeTable codes = RandomCodes(100, columns.sizes, 0, random);
  ForestOptions options;
  options.conditioner = ConditionerKind::kTree;
  options.members = 1;
  const ForestFit plain = Fit({codes, {}, 1}, std::nullopt, columns, options);
  const ForestFit weighted =
      Fit(MakeWeightedRows(codes, std::vector<double>(100, 1.25)), std::nullopt, columns, options);
  EXPECT_NEAR(*weighted.valid_nll / *plain.valid_nll, 1, 0.01);
}

// Rows that chose how much was learnt for them would seem to be better known than chance has it.
TEST(FitForest, TellsNothingOfNoise) {
  std::mt19937_64 random(14);
  const Columns columns = {std::vector<Code>(12, 3), std::vector<bool>(12, false)};
  double told = 0;
  constexpr int kTables = 3;
  for (int table = 0; table < kTables; ++table) {
    CodeTable codes = CodeTable::WithSizes(100, columns.sizes);
    for (CodeColumn& column : codes.columns) {
      for (std::size_t i = 0; i < codes.rows; ++i) column.Set(i, static_cast<Code>(random() % 3));
    }
    told += *Fit({codes, {}, 1}, std::nullopt, columns, {}).valid_nll / kTables;
  }
  EXPECT_GT(told, 12 * std::log(3));
}

// Nor would those that judge alone: a half of them is told what the other half has chosen, which is worse than what
// both have, and that is the flow.
TEST(FitForest, TellsWhatOthersHaveChosen) {
  std::mt19937_64 random(17);
  const Columns columns = {std::vector<Code>(12, 3), std::vector<bool>(12, false)};
  ForestOptions options;
  options.conditioner = ConditionerKind::kBoosted;
  options.members = 1;
  for (int table = 0; table < 3; ++table) {
    const WeightedRows rows{RandomCodes(300, columns.sizes, 0, random), {}, 1};
    const WeightedRows valid{RandomCodes(600, columns.sizes, 0, random), {}, 1};
    const ForestFit fit = Fit(rows, valid, columns, options);
    EXPECT_GT(*fit.valid_nll, MeanNll(*fit.flow, valid) + 1e-6);
  }
}

// Answers so rare that a fold has hardly any of them are not learnt by heart from all rows.
TEST(FitForest, LearnsNothingFromThreeRowsByRegression) {
  std::mt19937_64 random(27);
  const Columns columns = {std::vector<Code>(40, 2), std::vector<bool>(40, false)};
  WeightedRows rows;
  rows.codes = CodeTable::WithSizes(600, columns.sizes);
  for (std::size_t j = 0; j < 40; ++j) {
    for (std::size_t i = 0; i < 600; ++i) rows.codes.columns[j].Set(i, j < 10 ? static_cast<Code>(random() % 2) : 0);
    for (int k = 0; j >= 10 && k < 3; ++k) rows.codes.columns[j].Set(random() % 600, 1);
  }
  ForestOptions options;
  options.conditioner = ConditionerKind::kLinear;
  options.members = 1;
  const ForestFit fit = Fit(rows, std::nullopt, columns, options);
  EXPECT_NEAR(fit.train_nll, MarginalNll(rows), 0.1);
}

// A chain of columns, each told by the one before: there is nothing else to be learnt.
TEST(FitForest, AddsNetworksThatTheirOwnColumnsKnow) {
  std::mt19937_64 random(18);
  const Columns columns = {std::vector<Code>(10, 3), std::vector<bool>(10, false)};
  const auto draw = [&](std::size_t rows) {
    CodeTable codes = CodeTable::WithSizes(rows, columns.sizes);
    for (std::size_t i = 0; i < rows; ++i) {
      Code code = 0;
      for (std::size_t k = 0; k < 10; ++k) {
        code = (random() % 5 == 0 ? static_cast<Code>(random() % 3) : code + 1) % 3;
        codes.columns[7 * k % 10].Set(i, code);
      }
    }
    return WeightedRows{std::move(codes), {}, 1};
  };
  const WeightedRows rows = draw(1000);
  const WeightedRows valid = draw(600);
  const WeightedRows test = draw(2000);
  const ForestFit fit = Fit(rows, valid, columns, {});
  ForestOptions without;
  without.members = kMostMembers;
  EXPECT_LT(MeanNll(*fit.flow, test), MeanNll(*Fit(rows, valid, columns, without).flow, test));
}

TEST(FitForest, LearnsEachKindAsItsNameSays) {
  std::mt19937_64 random(9);
  const Columns columns;
  const WeightedRows rows{RandomCodes(300, columns.sizes, 0, random), {}, 1};
  for (const ConditionerKind kind : kKinds) {
    ForestOptions options;
    options.conditioner = kind;
    options.members = 1;
    const ForestFit fit = Fit(rows, std::nullopt, columns, options);
    std::size_t terms = 0;
    std::size_t trees = 0;
    std::size_t most_trees = 0;
    for (Feature j = 0; j < columns.sizes.size(); ++j) {
      for (const Question& question : MembersOf(*fit.flow)[0]->conditioner(j).questions) {
        terms += question.terms.size();
        trees += question.trees.size();
        most_trees = std::max(most_trees, question.trees.size());
      }
    }
    EXPECT_GT(terms + trees, 0u);
    if (kind == ConditionerKind::kLinear) {
      EXPECT_EQ(trees, 0u);
    } else if (kind != ConditionerKind::kAuto) {
      EXPECT_EQ(terms, 0u);
      EXPECT_EQ(most_trees > 1, kind == ConditionerKind::kBoosted);
    }
  }
}

TEST(FitForest, LearnsFromTheSmallestTables) {
  std::mt19937_64 random(10);
  const Columns one_column = {{4}, {false}};
  const Columns constant = {{1, 1}, {false, true}};
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE(round);
    ForestOptions options = RandomOptions(random);
    if (round % 2 == 0) options.members.reset();
    const auto check = [&](const Columns& columns, const CodeTable& codes, const std::optional<WeightedRows>& valid) {
      const ForestFit fit = Fit({codes, {}, 1}, valid, columns, options);
      EXPECT_TRUE(std::isfinite(fit.train_nll));
      EXPECT_NEAR(Mass(*fit.flow, false), 1 - fit.flow->Unseen().mass, 1e-9);
    };
    const Columns columns;
    CodeTable row = RandomCodes(1, columns.sizes, 0, random);
    const WeightedRows valid{RandomCodes(5, columns.sizes, 0, random), {}, 1};
    check(columns, row, std::nullopt);
    check(columns, row, valid);
    check(columns, row.Select(std::vector<std::size_t>(100, 0)), std::nullopt);  // all rows equal
    check(columns, RandomCodes(2, columns.sizes, 0, random), valid);
    check(one_column, RandomCodes(50, one_column.sizes, 0, random), std::nullopt);
    check(one_column, RandomCodes(1, one_column.sizes, 0, random), std::nullopt);
    check(constant, RandomCodes(20, constant.sizes, 0, random), std::nullopt);
  }
}

// A row that the flow keeps nothing for is no reason not to judge by the others.
TEST(FitForest, JudgesByRowsWithoutProbabilityToo) {
  std::mt19937_64 random(11);
  const Columns columns;
  const WeightedRows rows{RandomCodes(100, columns.sizes, 0, random), {}, 1};
  const WeightedRows valid{RandomCodes(600, columns.sizes, 100, random), {}, 1};
  ForestOptions options;
  options.alpha = 0;
  options.members = 3;
  const ForestFit fit = Fit(rows, valid, columns, options);
  EXPECT_EQ(*fit.valid_nll, std::numeric_limits<double>::infinity());
  EXPECT_NEAR(Mass(*fit.flow, false), 1, 1e-9);
}

// How often a value was new when it came says how often it will be.
TEST(FitForest, KeepsMassForUnseenValuesWhereManyAreRare) {
  constexpr double kAlpha = 0.5;
  const Columns columns({20, 2}, {false, false});
  WeightedRows rows{CodeTable::WithSizes(50, columns.sizes), {}, 1};
  for (std::size_t i = 0; i < 50; ++i) {
    rows.codes.columns[0].Set(i, static_cast<Code>(i < 12 ? i : 12 + i % 8));  // 12 categories of one row
    rows.codes.columns[1].Set(i, i == 7 ? 1 : 0);                              // one alone says nothing
  }
  const auto log_mass = [&](const WeightedRows& of, bool closed) {
    CodeBlock block(2, 2);
    block[0][0] = 20;  // unseen
    block[1][1] = 2;
    ForestOptions options;
    options.conditioner = ConditionerKind::kTree;
    options.closed = closed;
    std::vector<double> scores(2);
    Fit(of, std::nullopt, columns, options).flow->LogProb(block, scores);
    return scores;
  };
  const double of_first = std::log((kAlpha + 12) / (50 + 12 + kAlpha * 21));
  const double of_second = std::log(kAlpha / (50 + kAlpha * 3));
  std::vector<double> scores = log_mass(rows, false);
  EXPECT_NEAR(scores[0], of_first, 0.3);  // and ln P of the other column's category
  EXPECT_LE(scores[0], of_first);
  EXPECT_LE(scores[1], of_second);
  for (const double score : log_mass(rows, true)) EXPECT_EQ(score, -std::numeric_limits<double>::infinity());
  // Two rows each: nothing was new in the end.
  rows.weights.assign(50, 2);
  EXPECT_LE(log_mass(rows, false)[0], std::log(kAlpha / (100 + kAlpha * 21)));
  // Of fractional weights each row is one, and what rows share is not single, however light it is.
  std::vector<double> weights(50, 0.5);
  weights[49] = 20;
  const WeightedRows fractional = MakeWeightedRows(rows.codes, weights);
  const double total = fractional.TotalRows();
  EXPECT_LE(log_mass(fractional, false)[0], std::log((kAlpha + 6) / (total + 6 + kAlpha * 21)));
  EXPECT_NEAR(log_mass(fractional, false)[0], std::log((kAlpha + 6) / (total + 6 + kAlpha * 21)), 0.3);
}

TEST(FitForest, KeepsNoMoreMassForUnseenValuesOfBinsOrForMissingOnes) {
  Columns columns({12, 12}, {true, true});
  columns.binned = {true, false};
  columns.has_missing = {false, true};
  WeightedRows rows{CodeTable::WithSizes(40, columns.sizes), {}, 1};
  for (std::size_t i = 0; i < 40; ++i) {
    rows.codes.columns[0].Set(i, static_cast<Code>(i < 11 ? i : 11));
    rows.codes.columns[1].Set(i, static_cast<Code>(i < 2 ? 10 + i : i % 10));  // one value, and missing once
  }
  ForestOptions options;
  options.conditioner = ConditionerKind::kTree;
  const double of_each = 0.5 / (40 + 0.5 * 13);
  EXPECT_NEAR(Fit(rows, std::nullopt, columns, options).flow->Unseen().mass, 1 - (1 - of_each) * (1 - of_each), 1e-12);
  columns.binned = {};
  EXPECT_GT(Fit(rows, std::nullopt, columns, options).flow->Unseen().mass, 0.1);
  options.alpha = 0;
  EXPECT_EQ(Fit(rows, std::nullopt, columns, options).flow->Unseen().mass, 0);
}

// A begin, an end that follows it, and their sum: numbers that nobody has called ordered.
TEST(FitForest, OfNumbersDependsNeitherOnTheOrderOfRowsNorOnThreads) {
  std::mt19937_64 random(40);
  Columns columns({30, 36, 66}, {false, false, false});
  columns.numbers = {true, true, true};
  WeightedRows rows{CodeTable::WithSizes(500, columns.sizes), {}, 1};
  for (std::size_t i = 0; i < 500; ++i) {
    const auto begin = static_cast<Code>(random() % 30);
    const Code end = begin + static_cast<Code>(random() % 6);
    rows.codes.columns[0].Set(i, begin);
    rows.codes.columns[1].Set(i, end);
    rows.codes.columns[2].Set(i, begin + end);
  }
  ForestOptions options;
  options.members = 1;
  std::vector<std::size_t> turned(500);
  std::iota(turned.rbegin(), turned.rend(), std::size_t{0});
  const ForestFit fit = Fit(rows, std::nullopt, columns, options);
  EXPECT_TRUE(fit.choices[0].starts_with("nominal columns of numbers")) << fit.choices[0];
  EXPECT_TRUE(fit.choices[1].starts_with("columns that are told well")) << fit.choices[1];
  EXPECT_LT(fit.train_nll, std::log(30 * 6) + 0.4);
  options.threads = 3;
  const ForestFit of_turned = Fit({rows.codes.Select(turned), {}, 1}, std::nullopt, columns, options);
  EXPECT_EQ(ScoreTable(*fit.flow, rows.codes, 1), ScoreTable(*of_turned.flow, rows.codes, 1));
}

}  // namespace
}  // namespace dtf
