// The laws of every model on autoregressive flows, hidden trees and mixtures, by brute force on tiny domains.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "count/target_test_util.h"
#include "engine/random_autoregressive.h"
#include "engine/random_hidden_tree.h"
#include "engine/tables.h"
#include "flow/fixed_members.h"
#include "flow/sibling_members.h"

namespace dtf {
namespace {

std::vector<Code> RandomSizes(RandomStream& random, int most_columns, int most_categories) {
  std::vector<Code> sizes(1 + random.Below(most_columns));
  for (Code& size : sizes) size = static_cast<Code>(1 + random.Below(most_categories));
  return sizes;
}

RandomFlowOptions RandomOptions(RandomStream& random) {
  RandomFlowOptions options;
  options.closed = random.Below(2) == 0;
  options.independent = random.Below(2) == 0;
  options.asked = static_cast<int>(random.Below(11));
  options.most_nats = random.Below(5) == 0 ? 1000 : 2;
  return options;
}

// Any kind.
std::shared_ptr<const Flow> RandomFlow(RandomStream& random, const std::vector<Code>& sizes,
                                       const RandomFlowOptions& options) {
  if (random.Below(4) == 0) return MakeRandomHiddenTree(random, sizes, options.closed);
  if (random.Below(3) > 0) return MakeRandomAutoregressive(random, sizes, options);
  return MakeRandomMixture(random, sizes, 1 + random.Below(4), options);
}

// The whole domain; with unseen slots, too, if asked for.
CodeBlock Domain(std::vector<Code> sizes, bool with_slots) {
  const std::vector<Code> categories = sizes;
  if (with_slots) {
    for (Code& size : sizes) ++size;
  }
  const oracle::Rows rows = WholeDomain(sizes).rows;
  return CodeBlock(ToCodeTable(rows, categories), 0, rows.size());
}

std::vector<double> Scores(const Flow& flow, const CodeBlock& block) {
  std::vector<double> scores(block.rows());
  flow.LogProb(block, scores);
  return scores;
}

oracle::Row Row(const CodeBlock& block, std::size_t i) {
  oracle::Row row;
  for (std::size_t j = 0; j < block.columns(); ++j) row.push_back(static_cast<int>(block[j][i]));
  return row;
}

oracle::Rows AllRows(const CodeBlock& block) {
  oracle::Rows rows;
  for (std::size_t i = 0; i < block.rows(); ++i) rows.push_back(Row(block, i));
  return rows;
}

double Mass(const Flow& flow, const CodeBlock& block) {
  double mass = 0;
  for (const double score : Scores(flow, block)) mass += std::exp(score);
  return mass;
}

// ---------------------------------------------------------------- The definition, row by row

bool Passes(const CodeTest& test, const oracle::Row& row) {
  const auto code = static_cast<Code>(row[test.column]);
  return test.first <= code && code <= test.last;
}

double LogOdds(const Question& question, const std::vector<CodeTest>& tests, const oracle::Row& row) {
  std::int64_t logit = question.bias;
  for (const LogitTerm& term : question.terms) logit += Passes(tests[term.test], row) ? term.value : 0;
  for (const LogitTree& tree : question.trees) {
    std::int32_t at = tree.nodes.empty() ? -1 : 0;
    while (at >= 0) at = Passes(tests[tree.nodes[at].test], row) ? tree.nodes[at].pass : tree.nodes[at].fail;
    logit += tree.leaves[-1 - at];
  }
  return static_cast<double>(logit) / 65536;
}

// -ln P of each of the column's categories after `row`'s earlier columns.
std::vector<double> Nats(const AutoregressiveFlow& flow, Feature column, const oracle::Row& row) {
  std::vector<double> nats(flow.sizes()[column], 0);
  const auto& questions = flow.conditioner(column).questions;
  std::vector<double> until(questions.size(), 0);
  for (std::size_t q = 0; q < questions.size(); ++q) {
    const double odds = LogOdds(questions[q], flow.tests(), row);
    for (const bool yes : {true, false}) {
      const double margin = yes ? odds : -odds;
      const double answer = margin > 0 ? std::log1p(std::exp(-margin)) : std::log1p(std::exp(margin)) - margin;
      const std::int32_t child = yes ? questions[q].yes : questions[q].no;
      (child >= 0 ? until[child] : nats[-1 - child]) = until[q] + answer;
    }
  }
  return nats;
}

// The mass of a column's unseen slot, by its definition. REQUIRES: a conditional base.
double UnseenMassOf(const AutoregressiveFlow& flow, Feature column) {
  const auto& base = std::get<ConditionalBase>(flow.base());
  if (base.closed) return 0;
  const double single = base.single_rows.empty() ? 0 : base.single_rows[column];
  return (base.alpha + single) / (base.rows + single + base.alpha * (flow.sizes()[column] + 1.0));
}

TEST(AutoregressiveLaws, TheScoreIsTheProductOfTheAnswersProbabilities) {
  RandomStream random(31, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 100; ++round) {
    // Rows find their way to questions otherwise where a column has many categories.
    const std::vector<Code> sizes = round % 20 == 0 ? std::vector<Code>{3, 70, 2} : RandomSizes(random, 4, 5);
    RandomFlowOptions options = RandomOptions(random);
    options.independent = false;
    const auto flow = MakeRandomAutoregressive(random, sizes, options);
    const CodeBlock domain = Domain(sizes, !options.closed);
    const std::vector<double> scores = Scores(*flow, domain);
    for (std::size_t i = 0; i < domain.rows(); ++i) {
      const oracle::Row row = Row(domain, i);
      double expected = 0;
      for (Feature j = 0; j < sizes.size(); ++j) {
        const double unseen = UnseenMassOf(*flow, j);
        const bool is_unseen = static_cast<Code>(row[j]) == sizes[j];
        expected += is_unseen ? std::log(unseen) : std::log(1 - unseen) - Nats(*flow, j, row)[row[j]];
      }
      ASSERT_NEAR(scores[i], expected, 1e-9 + 1e-13 * std::abs(expected));
    }
  }
}

TEST(AutoregressiveLaws, ALatentCodeIsTheRankOfTheProbability) {
  RandomStream random(32, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 100; ++round) {
    const std::vector<Code> sizes = RandomSizes(random, 4, 6);
    const auto flow = MakeRandomAutoregressive(random, sizes, RandomOptions(random));
    const CodeBlock domain = Domain(sizes, false);
    const CodeBlock latent = flow->Encode(domain);
    for (std::size_t i = 0; i < domain.rows(); ++i) {
      for (Feature j = 0; j < sizes.size(); ++j) {
        const std::vector<double> nats = Nats(*flow, j, Row(domain, i));
        const Code code = domain[j][i];
        Code certainly_before = 0;
        Code perhaps_before = 0;
        for (Code other = 0; other < sizes[j]; ++other) {
          const double more = nats[other] - nats[code];
          const double error = 1e-11 * (1 + nats[other]);
          certainly_before += more > error ? 1 : 0;
          perhaps_before += more > -error && other != code ? 1 : 0;
        }
        ASSERT_GE(latent[j][i], certainly_before);
        ASSERT_LE(latent[j][i], perhaps_before);
      }
    }
  }
}

Question Ask(std::int32_t yes, std::int32_t no) {
  Question question;
  question.yes = yes;
  question.no = no;
  return question;
}

TEST(AutoregressiveLaws, EquallyLikelyCategoriesKeepTheirOrder) {
  const std::vector<Code> sizes = {2, 4, 2, 8};
  // All categories of a column are equally deep in its tree, and all logits are 0.
  std::vector<Conditioner> conditioners(4);
  conditioners[0].questions = {Ask(-1, -2)};
  conditioners[1].questions = {Ask(1, 2), Ask(-4, -1), Ask(-3, -2)};
  conditioners[2].questions = {Ask(-2, -1)};
  conditioners[2].questions[0].trees = {{{{0, -1, -2}}, {0, 0}}};
  conditioners[3].questions = {Ask(1, 2), Ask(3, 4), Ask(5, 6), Ask(-1, -3), Ask(-5, -7), Ask(-8, -6), Ask(-4, -2)};
  conditioners[3].questions[0].terms = {{1, 0}};
  conditioners[3].questions[6].terms = {{0, 0}};
  const AutoregressiveFlow flow(sizes, {0, 1, 2, 3}, {{0, 0, 0}, {1, 1, 2}}, conditioners, ConditionalBase{1, 1, true});
  const CodeBlock domain = Domain(sizes, false);
  EXPECT_EQ(AllRows(flow.Encode(domain)), AllRows(domain));
  EXPECT_EQ(AllRows(flow.Decode(domain)), AllRows(domain));
}

// ---------------------------------------------------------------- Laws of all flows

TEST(AutoregressiveLaws, ProbabilitiesOfTheDomainSumToOne) {
  RandomStream random(34, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 150; ++round) {
    const std::vector<Code> sizes = RandomSizes(random, 4, 5);
    const RandomFlowOptions options = RandomOptions(random);
    const auto flow = RandomFlow(random, sizes, options);
    EXPECT_NEAR(Mass(*flow, Domain(sizes, false)), 1 - flow->Unseen().mass, 1e-9);
    EXPECT_EQ(flow->Unseen().mass == 0, options.closed);
    if (!options.closed) {
      EXPECT_NEAR(Mass(*flow, Domain(sizes, true)), 1, 1e-9);
    }
  }
}

TEST(AutoregressiveLaws, NoScoreIsAboveZero) {
  RandomStream random(35, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 150; ++round) {
    const std::vector<Code> sizes = RandomSizes(random, 4, 5);
    RandomFlowOptions options = RandomOptions(random);
    options.most_nats = std::ldexp(1, static_cast<int>(random.Below(22)) - 11);
    const auto flow = RandomFlow(random, sizes, options);
    for (const double score : Scores(*flow, Domain(sizes, true))) EXPECT_LE(score, 0);
  }
}

TEST(AutoregressiveLaws, DecodeUndoesEncodeWhichIsOneToOne) {
  RandomStream random(36, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 200; ++round) {
    const std::vector<Code> sizes = round % 20 == 0 ? std::vector<Code>{2, 300, 3} : RandomSizes(random, 5, 5);
    const RandomFlowOptions options = RandomOptions(random);
    const auto flow = RandomFlow(random, sizes, options);
    const CodeBlock domain = Domain(sizes, !options.closed);
    const CodeBlock latent = flow->Encode(domain);
    const oracle::Rows codes = AllRows(latent);
    EXPECT_EQ(std::set<oracle::Row>(codes.begin(), codes.end()).size(), codes.size());
    EXPECT_EQ(AllRows(flow->Decode(latent)), AllRows(domain));
    const std::vector<Code> latent_sizes = flow->LatentSizes();
    const std::size_t members = latent_sizes.size() - sizes.size();
    for (std::size_t j = 0; j < latent_sizes.size(); ++j) {
      for (std::size_t i = 0; i < domain.rows(); ++i) {
        const bool is_unseen = j >= members && domain[j - members][i] == sizes[j - members];
        ASSERT_EQ(latent[j][i] < latent_sizes[j], !is_unseen);
      }
    }
  }
}

TEST(AutoregressiveLaws, TheScoreIsTheBasesOfTheLatentCodes) {
  RandomStream random(37, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 100; ++round) {
    const std::vector<Code> sizes = RandomSizes(random, 5, 5);
    RandomFlowOptions options = RandomOptions(random);
    options.independent = true;
    const auto flow = MakeRandomAutoregressive(random, sizes, options);
    const auto& base = std::get<IndependentBase>(flow->base());
    const CodeBlock domain = Domain(sizes, !options.closed);
    const CodeBlock latent = flow->Encode(domain);
    const std::vector<double> scores = Scores(*flow, domain);
    for (std::size_t i = 0; i < domain.rows(); ++i) {
      double expected = 0;
      for (std::size_t j = 0; j < sizes.size(); ++j) expected += base.LogProb(j, latent[j][i]);
      ASSERT_EQ(scores[i], expected);
    }
  }
}

TEST(AutoregressiveLaws, AMixturesScoreIsNoLessThanItsMembers) {
  RandomStream random(38, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 60; ++round) {
    const std::vector<Code> sizes = RandomSizes(random, 4, 4);
    const RandomFlowOptions options = RandomOptions(random);
    const auto flow = MakeRandomMixture(random, sizes, 1 + random.Below(6), options);
    const CodeBlock domain = Domain(sizes, !options.closed);
    const std::vector<double> scores = Scores(*flow, domain);
    const CodeBlock latent = flow->Encode(domain);
    std::vector<double> sums(domain.rows(), 0);
    std::vector<double> best(domain.rows(), -1e300);
    for (std::size_t m = 0; m < flow->members().size(); ++m) {
      const std::vector<double> of_member = Scores(*flow->members()[m], domain);
      for (std::size_t i = 0; i < domain.rows(); ++i) {
        const double joint = of_member[i] + std::log(flow->weights()[m]);
        EXPECT_GE(scores[i], joint - 1e-12);
        sums[i] += std::exp(joint);
        if (joint > best[i] + 1e-9) {
          EXPECT_GE(latent[0][i], m);
          best[i] = joint;
        }
      }
    }
    for (std::size_t i = 0; i < domain.rows(); ++i) {
      if (sums[i] > 1e-300) {
        EXPECT_NEAR(scores[i], std::log(sums[i]), 1e-9 * (1 - scores[i]));
      }
    }
  }
}

bool AsksNothing(const AutoregressiveFlow& flow) {
  if (std::holds_alternative<IndependentBase>(flow.base())) return false;
  for (Feature j = 0; j < flow.sizes().size(); ++j) {
    for (const Question& question : flow.conditioner(j).questions) {
      if (!question.terms.empty() || !question.trees.empty()) return false;
    }
  }
  return true;
}

// Members that ask nothing are scored side by side: as each is alone, bit by bit, and no other member is among them.
TEST(AutoregressiveLaws, FixedMembersAreScoredAsAlone) {
  RandomStream random(47, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 30; ++round) {
    const std::vector<Code> sizes = RandomSizes(random, 4, 5);
    RandomFlowOptions options = RandomOptions(random);
    std::vector<std::shared_ptr<const Flow>> members;
    std::vector<std::size_t> fixed;
    const std::size_t count = random.Below(80);
    for (std::size_t m = 0; m < count; ++m) {
      options.asked = random.Below(4) == 0 ? 10 : 0;
      const auto flow = MakeRandomAutoregressive(random, sizes, options);
      if (AsksNothing(*flow)) fixed.push_back(m);
      members.push_back(flow);
    }
    const FixedMembers side_by_side(members);
    ASSERT_EQ(side_by_side.positions(), fixed);
    const CodeBlock domain = Domain(sizes, !options.closed);
    std::vector<double> joint(count * domain.rows(), 7);
    side_by_side.LogProb(domain, joint);
    for (std::size_t m = 0; m < count; ++m) {
      const bool is_fixed = std::ranges::binary_search(fixed, m);
      const std::vector<double> alone = is_fixed ? Scores(*members[m], domain) : std::vector(domain.rows(), 7.0);
      for (std::size_t i = 0; i < domain.rows(); ++i) ASSERT_EQ(joint[m * domain.rows() + i], alone[i]);
    }
  }
}

// Members that differ in nothing but their biases are scored by the same sums: as each is alone, but for the last bits.
// A flow of other terms, of another base or without terms ends a family.
TEST(AutoregressiveLaws, SiblingsAreScoredAsAlone) {
  RandomStream random(48, RandomPurpose::kShuffle, 0);
  std::size_t taken = 0;
  for (int round = 0; round < 40; ++round) {
    const std::vector<Code> sizes = round % 4 == 0 ? std::vector<Code>{3, 80, 2} : RandomSizes(random, 4, 5);
    RandomFlowOptions options = RandomOptions(random);
    std::vector<std::shared_ptr<const Flow>> members;
    std::vector<std::size_t> siblings;
    for (int family = 0; family < 4; ++family) {
      options.independent = family == 2;
      options.asked = family == 3 ? 0 : 7;
      options.has_trees = random.Below(4) == 0;
      const auto first = MakeRandomAutoregressive(random, sizes, options);
      const std::size_t count = SiblingMembers::kLeastOfFamily - 2 + random.Below(4);
      const bool are_siblings = count >= SiblingMembers::kLeastOfFamily && !options.independent &&
                                !AsksNothing(*first) && first->NodeCount() == 0;
      for (std::size_t k = 0; k < count; ++k) {
        if (are_siblings) siblings.push_back(members.size());
        members.push_back(k == 0 ? first : MakeSibling(random, *first, options));
      }
    }
    const SiblingMembers by_family(members);
    ASSERT_EQ(by_family.positions(), siblings);
    taken += siblings.size();
    const CodeBlock all = Domain(sizes, !options.closed);
    const std::vector<double> untouched(all.rows(), 7);
    std::vector<double> joint(members.size() * all.rows(), 7);
    by_family.LogProb(all, joint);
    for (std::size_t m = 0; m < members.size(); ++m) {
      const auto alone = std::ranges::binary_search(siblings, m) ? Scores(*members[m], all) : untouched;
      for (std::size_t i = 0; i < all.rows(); ++i) {
        const double score = joint[m * all.rows() + i];
        if (score == alone[i]) continue;  // infinities, too
        ASSERT_NEAR(score, alone[i], 1e-12 * (1 + std::abs(alone[i])));
      }
    }
  }
  EXPECT_GT(taken, 80u);
}

// What siblings share makes no difference, not in a bit.
TEST(AutoregressiveLaws, AFlowOfAnothersQuestionsIsAsOneMadeAnew) {
  RandomStream random(50, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 60; ++round) {
    const std::vector<Code> sizes = round % 4 == 0 ? std::vector<Code>{3, 80, 2} : RandomSizes(random, 4, 5);
    const RandomFlowOptions options = RandomOptions(random);
    const auto flow = MakeRandomAutoregressive(random, sizes, options);
    auto sibling = MakeSibling(random, *flow, options);
    while (!sibling->SharesQuestions(*flow)) sibling = MakeSibling(random, *flow, options);
    const auto twin = MakeTwin(*sibling);
    ASSERT_FALSE(twin->SharesQuestions(*flow));
    for (Feature j = 0; j < sizes.size(); ++j) EXPECT_EQ(sibling->conditioner(j), twin->conditioner(j));
    EXPECT_EQ(sibling->Unseen().mass, twin->Unseen().mass);
    const CodeBlock all = Domain(sizes, !options.closed);
    EXPECT_EQ(Scores(*sibling, all), Scores(*twin, all));
    EXPECT_EQ(AllRows(sibling->Encode(all)), AllRows(twin->Encode(all)));
    CodeBlock drawn(300, sizes.size());
    CodeBlock twins(300, sizes.size());
    sibling->Sample(round, 0, drawn);
    twin->Sample(round, 0, twins);
    EXPECT_EQ(AllRows(drawn), AllRows(twins));
    EXPECT_EQ(AllRows(sibling->Decode(sibling->Encode(drawn))), AllRows(drawn));
  }
}

TEST(AutoregressiveLaws, SiblingsCountWhatTheyShareOnce) {
  RandomStream random(49, RandomPurpose::kShuffle, 0);
  const std::vector<Code> sizes = {2, 3, 4};
  const auto flow = MakeRandomAutoregressive(random, sizes, {.asked = 10, .has_trees = false});
  ASSERT_FALSE(AsksNothing(*flow));
  std::vector<std::shared_ptr<const Flow>> family = {flow};
  while (family.size() < 10) family.push_back(MakeSibling(random, *flow, {}));
  constexpr std::uint64_t kBiases = 1 + 2 + 3;
  EXPECT_EQ(MixtureFlow(family, std::vector<double>(10, 0.1)).ParameterCount(),
            MixtureFlow({flow}, {1}).ParameterCount() + 9 * (kBiases + 1));
}

TEST(AutoregressiveLaws, ScoresOfColumnsAddUpToTheRows) {
  RandomStream random(39, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 60; ++round) {
    const std::vector<Code> sizes = RandomSizes(random, 5, 4);
    const RandomFlowOptions options = RandomOptions(random);
    const auto flow = MakeRandomAutoregressive(random, sizes, options);
    ASSERT_TRUE(flow->HasColumnScores());
    const CodeBlock domain = Domain(sizes, !options.closed);
    std::vector<std::vector<double>> columns(sizes.size(), std::vector<double>(domain.rows()));
    flow->LogProbPerColumn(domain, std::vector<std::span<double>>(columns.begin(), columns.end()));
    const std::vector<double> scores = Scores(*flow, domain);
    for (std::size_t i = 0; i < domain.rows(); ++i) {
      double sum = 0;
      for (const auto& column : columns) sum += column[i];
      ASSERT_EQ(sum, scores[i]);
    }
  }
  EXPECT_FALSE(MakeRandomMixture(random, {2, 2}, 2, {})->HasColumnScores());
}

// A column of very many categories, of whose questions few look at other columns.
TEST(AutoregressiveLaws, HoldForColumnsOfManyCategories) {
  RandomStream random(44, RandomPurpose::kShuffle, 0);
  for (const int asked : {0, 1, 10}) {
    const std::vector<Code> sizes = {3, asked == 10 ? Code{5000} : Code{20000}, 4};
    RandomFlowOptions options;
    options.independent = asked == 1;
    options.asked = asked;
    const auto flow = MakeRandomAutoregressive(random, sizes, options);
    CodeBlock rows(100, 3);
    flow->Sample(1, 0, rows);
    rows[1][0] = sizes[1];
    const CodeBlock latent = flow->Encode(rows);
    EXPECT_EQ(AllRows(flow->Decode(latent)), AllRows(rows));
    for (const double score : Scores(*flow, rows)) EXPECT_TRUE(std::isfinite(score) && score < 0);

    // All categories after the same row: as likely as they rank.
    CodeBlock all(sizes[1], 3);
    for (Code code = 0; code < sizes[1]; ++code) all[1][code] = code;
    std::vector<double> mass(sizes[1]);
    std::vector<double> ignored(sizes[1]);
    const CodeBlock ranks = flow->Encode(all);
    if (options.independent) continue;
    flow->LogProbPerColumn(all, std::vector<std::span<double>>{ignored, mass, ignored});
    std::vector<double> by_rank(sizes[1], 1);
    double sum = 0;
    for (Code code = 0; code < sizes[1]; ++code) {
      by_rank[ranks[1][code]] = mass[code];
      sum += std::exp(mass[code]);
    }
    EXPECT_TRUE(std::is_sorted(by_rank.begin(), by_rank.end()));
    EXPECT_LT(by_rank.back(), 0);
    EXPECT_NEAR(sum, 1 - UnseenMassOf(*flow, 1), 1e-9);
  }
}

// ---------------------------------------------------------------- Samples

void ExpectSampled(const Flow& flow, int draws) {
  CodeBlock sample(draws, flow.sizes().size());
  flow.Sample(5, 1000, sample);
  std::map<oracle::Row, int> seen;
  for (const oracle::Row& row : AllRows(sample)) ++seen[row];
  const CodeBlock domain = Domain(flow.sizes(), false);
  const std::vector<double> scores = Scores(flow, domain);
  for (std::size_t i = 0; i < domain.rows(); ++i) {
    const double p = std::exp(scores[i]) / (1 - flow.Unseen().mass);
    EXPECT_NEAR(seen[Row(domain, i)], draws * p, 5 * std::sqrt(draws * p * (1 - p)) + 2);
  }
}

TEST(AutoregressiveLaws, SampledFrequenciesAgreeWithTheProbabilities) {
  RandomStream random(40, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 12; ++round) {
    const RandomFlowOptions options = RandomOptions(random);
    ExpectSampled(*MakeRandomAutoregressive(random, {3, 2, 5}, options), 40000);
    ExpectSampled(*MakeRandomMixture(random, {3, 2, 5}, 3, options), 40000);
  }
}

// Of so many columns hardly a row has no value never seen, and members differ in how many do.
TEST(AutoregressiveLaws, MembersAreDrawnByTheirWeightsHoweverManyColumnsThereAre) {
  constexpr std::size_t kColumns = 3000;
  constexpr int kDraws = 2000;
  const auto member = [](const std::vector<std::uint64_t>& of_column, double alpha) {
    Ragged<std::uint64_t> counts;
    std::vector<Feature> order(kColumns);
    std::iota(order.begin(), order.end(), Feature{0});
    for (std::size_t j = 0; j < kColumns; ++j) counts.Append(of_column);
    return std::make_shared<AutoregressiveFlow>(
        std::vector<Code>(kColumns, 2), std::move(order), std::vector<CodeTest>{},
        std::vector<Conditioner>(kColumns, Conditioner{{{.yes = -2, .no = -1, .bias = 0, .terms = {}, .trees = {}}}}),
        IndependentBase(std::move(counts), 1, alpha, false));
  };
  const auto ones_drawn = [&](double log_odds, const MixtureFlow& mixture) {
    CodeBlock sample(kDraws, kColumns);
    mixture.Sample(7, 0, sample);
    const auto ones = static_cast<double>(std::ranges::count(std::as_const(sample)[0], Code{1}));
    const double p = 1 / (1 + std::exp(-log_odds));
    EXPECT_NEAR(ones, kDraws * p, 5 * std::sqrt(kDraws * p * (1 - p)) + 2);
  };
  const auto zeros = member({1000000, 0}, 20000);  // ε = 0.0189
  EXPECT_NEAR(zeros->Unseen().mass, 1, 1e-14);
  ones_drawn(std::log(3), MixtureFlow({zeros, member({0, 1000000}, 20000)}, {0.25, 0.75}));
  // Their rows without a value never seen are as 3 · (1 - ε')^3000 to (1 - ε)^3000.
  const double larger = 20100.0 / (1000000 + 3 * 20100.0);
  const double smaller = 20000.0 / (1000000 + 3 * 20000.0);
  const double log_odds = std::log(3) + kColumns * (std::log1p(-larger) - std::log1p(-smaller));
  ones_drawn(log_odds, MixtureFlow({zeros, member({0, 1000000}, 20100)}, {0.25, 0.75}));
}

TEST(AutoregressiveLaws, ASampleDoesNotDependOnHowItIsCut) {
  RandomStream random(41, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 20; ++round) {
    const std::vector<Code> sizes = RandomSizes(random, 6, 6);
    const auto flow = RandomFlow(random, sizes, RandomOptions(random));
    CodeBlock whole(300, sizes.size());
    flow->Sample(3, 0, whole);
    for (const std::size_t first : {0, 1, 64, 131}) {
      CodeBlock part(1 + random.Below(150), sizes.size());
      flow->Sample(3, first, part);
      for (std::size_t i = 0; i < part.rows(); ++i) ASSERT_EQ(Row(part, i), Row(whole, first + i));
    }
  }
}

// ---------------------------------------------------------------- The same bits

CodeBlock Part(const CodeBlock& block, std::size_t first, std::size_t rows) {
  CodeBlock part(rows, block.columns());
  for (std::size_t j = 0; j < block.columns(); ++j) std::ranges::copy(block[j].subspan(first, rows), part[j].begin());
  return part;
}

TEST(AutoregressiveLaws, ResultsDoNotDependOnTheRowsBeside) {
  RandomStream random(42, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 30; ++round) {
    const std::vector<Code> sizes = RandomSizes(random, 6, round % 3 == 0 ? 60 : 5);
    const auto flow = RandomFlow(random, sizes, RandomOptions(random));
    CodeBlock rows(700, sizes.size());
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      for (Code& code : rows[j]) code = static_cast<Code>(random.Below(sizes[j]));
    }
    const std::vector<double> scores = Scores(*flow, rows);
    const CodeBlock latent = flow->Encode(rows);
    for (std::size_t first = 0; first < rows.rows();) {
      const std::size_t size = std::min(1 + random.Below(200), rows.rows() - first);
      const CodeBlock part = Part(rows, first, size);
      const std::vector<double> of_part = Scores(*flow, part);
      const CodeBlock latent_part = flow->Encode(part);
      ASSERT_TRUE(std::equal(of_part.begin(), of_part.end(), scores.begin() + static_cast<std::ptrdiff_t>(first)));
      ASSERT_EQ(AllRows(latent_part), AllRows(Part(latent, first, size)));
      ASSERT_EQ(AllRows(flow->Decode(latent_part)), AllRows(part));
      first += size;
    }
  }
}

TEST(AutoregressiveLaws, ResultsDoNotDependOnTheInstructionSet) {
  RandomStream random(43, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 20; ++round) {
    const std::vector<Code> sizes = RandomSizes(random, 8, 12);
    const auto flow = RandomFlow(random, sizes, RandomOptions(random));
    CodeBlock sample(500, sizes.size());
    flow->Sample(1, 0, sample);
    const std::vector<double> scores = Scores(*flow, sample);
    const oracle::Rows latent = AllRows(flow->Encode(sample));
    OnEachTarget([&] {
      CodeBlock again(500, sizes.size());
      flow->Sample(1, 0, again);
      ASSERT_EQ(AllRows(again), AllRows(sample));
      ASSERT_EQ(Scores(*flow, sample), scores);
      ASSERT_EQ(AllRows(flow->Encode(sample)), latent);
    });
  }
}

}  // namespace
}  // namespace dtf
