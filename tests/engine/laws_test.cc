// The laws of every model, on random tables: the engine against the oracle, and by brute force on tiny domains.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <variant>

#include <gtest/gtest.h>

#include "count/targets.h"
#include "engine/learnt_tree.h"
#include "engine/tables.h"
#include "flow/layered_flow.h"
#include "learn/tsp/fit_layers.h"

namespace dtf {
namespace {

constexpr CriterionKind kCriteria[] = {CriterionKind::kRandom, CriterionKind::kGlp, CriterionKind::kGlpCode,
                                       CriterionKind::kGlpAligned};

oracle::Criterion ToOracle(CriterionKind kind) {
  switch (kind) {
    case CriterionKind::kGlp:
      return oracle::Criterion::kGlp;
    case CriterionKind::kGlpCode:
      return oracle::Criterion::kGlpCode;
    case CriterionKind::kGlpAligned:
      return oracle::Criterion::kGlpAligned;
    case CriterionKind::kRandom:
      break;
  }
  return oracle::Criterion::kGiven;
}

LayerOptions RandomOptions(RandomStream& random) {
  LayerOptions options;
  options.criterion = kCriteria[random.Below(4)];
  options.layers = static_cast<int>(random.Below(5));
  options.grow.max_depth = static_cast<int>(random.Below(12));
  options.grow.min_split_rows = static_cast<double>(random.Below(8));
  options.grow.features_per_node = random.Below(4);
  options.closed = random.Below(2) == 0;
  options.alpha = 0.5;
  options.seed = random.Next();
  options.threads = static_cast<int>(1 + random.Below(3));
  options.conditional_base = random.Below(2) == 0;
  options.split_values = random.Below(2) == 0 ? 1 : 1 + random.Below(5);
  return options;
}

LayersFit FitRandom(const RandomTable& table, const LayerOptions& options,
                    std::optional<WeightedRows> valid = std::nullopt) {
  return FitLayers({ToCodeTable(table.rows, table.sizes), {}, 1}, std::move(valid), table.sizes, options,
                   [](const LearningCurvePoint&) {});
}

// Scores of rows, and their latent codes.
struct Scored {
  std::vector<double> scores;
  CodeTable latent;
};

Scored Score(const Flow& flow, const CodeTable& codes) {
  const CodeBlock block(codes, 0, codes.rows);
  Scored scored{std::vector<double>(codes.rows), codes};
  flow.LogProb(block, scored.scores);
  flow.Encode(block).CopyTo(scored.latent, 0);
  return scored;
}

// The splits of a learnt tree, to be given to the oracle.
std::vector<oracle::Split> SplitsOf(const LearntTree& learnt) {
  std::vector<oracle::Split> splits;
  for (const GrownNode& node : learnt.grown.nodes) {
    oracle::Split& split = splits.emplace_back();
    if (node.is_leaf()) continue;
    split.feature = static_cast<int>(node.split.feature);
    split.left.assign(node.split.left.begin(), node.split.left.end());
  }
  return splits;
}

TEST(EngineAgainstOracle, LearnsTheSameTrees) {
  RandomStream random(11, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 150; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const RandomTable table = MakeRandomTable(random, 120, 8, round % 10 == 0 ? 60 : round % 3 == 0 ? 20 : 4);
    const CriterionKind kind = kCriteria[1 + random.Below(3)];
    const GrowOptions options{.max_depth = static_cast<int>(random.Below(7)),
                              .min_split_rows = static_cast<double>(random.Below(5))};
    oracle::Rows rows = table.rows;
    const int split_values = round % 2 == 0 ? 1 : static_cast<int>(1 + random.Below(6));
    const auto criterion = MakeCriterion(kind, 0, 2, split_values);
    for (std::uint64_t layer = 0; layer < 3; ++layer) {
      const LearntTree learnt = LearnTree(ToCodeTable(rows, table.sizes), table.sizes, options, layer, *criterion);
      const oracle::Tree expected = oracle::LearnTree(
          rows, table.oracle_sizes(),
          {ToOracle(kind), options.max_depth, static_cast<long>(options.min_split_rows), {}, split_values});
      ExpectSameTree(learnt, expected, table.sizes);
      if (HasFatalFailure()) return;
      const oracle::Rows image = Forward(learnt.tsp, rows, table.sizes);
      for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(image[i], oracle::Forward(expected, rows[i]));
      EXPECT_TRUE(oracle::IsRankConsistent(expected, rows, table.oracle_sizes()));
      rows = image;
    }
  }
}

TEST(EngineAgainstOracle, PermutesTheWholeDomainAsTheOracleDoes) {
  RandomStream random(12, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 100; ++round) {
    const RandomTable table = MakeRandomTable(random, 60, 4, 4);
    auto criterion = MakeRandomCriterion(random.Next(), 1 + random.Below(3));
    const LearntTree learnt = LearnTree(ToCodeTable(table.rows, table.sizes), table.sizes,
                                        {.max_depth = 8, .min_split_rows = 0}, 0, *criterion);
    const oracle::Tree tree =
        oracle::LearnTree(table.rows, table.oracle_sizes(), {oracle::Criterion::kGiven, 8, 0, SplitsOf(learnt)});
    const RandomTable domain = WholeDomain(table.sizes);
    const oracle::Rows image = Forward(learnt.tsp, domain.rows, table.sizes);
    for (std::size_t i = 0; i < image.size(); ++i) {
      ASSERT_EQ(image[i], oracle::Forward(tree, domain.rows[i]));
      ASSERT_EQ(image[i], oracle::ForwardByLemma(tree, domain.rows[i]));
    }
    EXPECT_EQ(Inverse(learnt.tsp, image, table.sizes), domain.rows);
    EXPECT_EQ(std::set<oracle::Row>(image.begin(), image.end()).size(), image.size());
  }
}

TEST(Laws, DecodeUndoesEncodeOnTablesOfAnyShape) {
  RandomStream random(13, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 150; ++round) {
    const RandomTable table = MakeRandomTable(random, round % 10 == 0 ? 1 : 300, 30, 50);
    const LayersFit fit = FitRandom(table, RandomOptions(random));
    // Rows of the table and rows never seen, unseen slots among them when there are any.
    RandomTable other = MakeRandomTable(random, 100, 1, 2);
    CodeTable codes = CodeTable::WithSizes(other.rows.size(), table.sizes);
    for (std::size_t j = 0; j < table.sizes.size(); ++j) {
      const Code codes_in_use = table.sizes[j] + (fit.flow.independent_base().closed() ? 0 : 1);
      for (std::size_t i = 0; i < codes.rows; ++i) {
        codes.columns[j].Set(i, static_cast<Code>(random.Below(codes_in_use)));
      }
    }
    for (const CodeTable& input : {codes, ToCodeTable(table.rows, table.sizes)}) {
      const Scored scored = Score(fit.flow, input);
      const CodeBlock block = fit.flow.Decode(CodeBlock(scored.latent, 0, input.rows));
      for (std::size_t j = 0; j < table.sizes.size(); ++j) {
        for (std::size_t i = 0; i < input.rows; ++i) {
          ASSERT_EQ(block[j][i], input.columns[j].At(i));
          // An unseen slot stays one, a category stays a category.
          ASSERT_EQ(scored.latent.columns[j].At(i) == table.sizes[j], block[j][i] == table.sizes[j]);
        }
      }
      for (std::size_t i = 0; i < input.rows; ++i) {
        EXPECT_LE(scored.scores[i], 0);
        if (std::holds_alternative<LeafBase>(fit.flow.base())) continue;  // leaf_base_test.cc
        double base = 0;
        for (std::size_t j = 0; j < table.sizes.size(); ++j) {
          base += fit.flow.independent_base().LogProb(j, scored.latent.columns[j].At(i));
        }
        EXPECT_EQ(scored.scores[i], base);
      }
    }
  }
}

TEST(Laws, ProbabilitiesOfTheDomainSumToOne) {
  RandomStream random(14, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 100; ++round) {
    const RandomTable table = MakeRandomTable(random, 80, 4, 5);
    const LayersFit fit = FitRandom(table, RandomOptions(random));
    const auto mass = [&](const std::vector<Code>& sizes) {
      const oracle::Rows rows = WholeDomain(sizes).rows;
      double sum = 0;
      for (const double score : Score(fit.flow, ToCodeTable(rows, table.sizes)).scores) sum += std::exp(score);
      return sum;
    };
    EXPECT_NEAR(mass(table.sizes), 1 - fit.flow.independent_base().unseen().mass, 1e-9);
    EXPECT_EQ(fit.flow.independent_base().unseen().mass == 0, fit.flow.independent_base().closed());
    std::vector<Code> with_slots = table.sizes;
    for (Code& size : with_slots) ++size;
    if (!fit.flow.independent_base().closed()) {
      EXPECT_NEAR(mass(with_slots), 1, 1e-9);
    }
  }
}

TEST(Laws, NoLayerRaisesTheTrainingNll) {
  RandomStream random(15, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 100; ++round) {
    const RandomTable table = MakeRandomTable(random, 200, 10, 8);
    LayerOptions options = RandomOptions(random);
    options.layers = 6;
    options.conditional_base = false;
    const LayersFit fit = FitRandom(table, options);
    for (std::size_t i = 1; i < fit.curve.size(); ++i) {
      EXPECT_LE(*fit.curve[i].train_nll, *fit.curve[i - 1].train_nll * (1 + 1e-12));
    }
  }
}

TEST(Laws, NoEquivalentTreeHasALowerTrainingNll) {
  RandomStream random(16, RandomPurpose::kShuffle, 0);
  int enumerated = 0;
  for (int round = 0; round < 400; ++round) {
    const RandomTable table = MakeRandomTable(random, 12, 3, 3);
    const CriterionKind kind = kCriteria[random.Below(4)];
    const auto criterion = MakeCriterion(kind, round, 1, 1 + round % 2);
    const LearntTree learnt = LearnTree(ToCodeTable(table.rows, table.sizes), table.sizes,
                                        {.max_depth = 2, .min_split_rows = 1}, 0, *criterion);
    const oracle::Tree tree =
        oracle::LearnTree(table.rows, table.oracle_sizes(), {oracle::Criterion::kGiven, 2, 0, SplitsOf(learnt)});
    if (oracle::EquivalentTreeCount(tree) > 3000) continue;
    ++enumerated;
    const double nll = oracle::MinNll(Forward(learnt.tsp, table.rows, table.sizes), table.oracle_sizes());
    oracle::ForEachEquivalentTree(tree, table.oracle_sizes(), [&](const oracle::Tree& other) {
      oracle::Rows image = table.rows;
      for (oracle::Row& row : image) row = oracle::Forward(other, row);
      EXPECT_GE(oracle::MinNll(image, table.oracle_sizes()), nll - 1e-9);
    });
  }
  EXPECT_GT(enumerated, 100);
}

TEST(Laws, SampledFrequenciesAgreeWithTheProbabilities) {
  RandomStream random(17, RandomPurpose::kShuffle, 0);
  const RandomTable table{{3, 2, 4}, MakeRandomTable(random, 1, 1, 1).rows};
  RandomTable filled{table.sizes, {}};
  for (int i = 0; i < 300; ++i) {
    const int a = static_cast<int>(random.Below(3));
    filled.rows.push_back({a, a == 1 ? 1 : 0, static_cast<int>((a + random.Below(2)) % 4)});
  }
  LayerOptions options;
  options.layers = 3;
  options.grow.min_split_rows = 5;
  for (const bool conditional : {false, true}) {
    options.conditional_base = conditional;
    const LayersFit fit = FitRandom(filled, options);
    constexpr int kDraws = 40000;
    CodeBlock block(kDraws, 3);
    fit.flow.Sample(5, 0, block);
    std::map<oracle::Row, int> seen;
    for (int i = 0; i < kDraws; ++i) {
      ++seen[{static_cast<int>(block[0][i]), static_cast<int>(block[1][i]), static_cast<int>(block[2][i])}];
    }
    const RandomTable domain = WholeDomain(table.sizes);
    const auto scores = Score(fit.flow, ToCodeTable(domain.rows, table.sizes)).scores;
    for (std::size_t i = 0; i < domain.rows.size(); ++i) {
      const double p = std::exp(scores[i]) / (1 - fit.flow.independent_base().unseen().mass);
      EXPECT_NEAR(seen[domain.rows[i]], kDraws * p, 5 * std::sqrt(kDraws * p * (1 - p)) + 1);
    }
  }
}

TEST(Laws, SharesOfColumnsAddUpToTheScore) {
  RandomStream random(26, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 50; ++round) {
    const RandomTable table = MakeRandomTable(random, 100, 8, 6);
    const LayersFit fit = FitRandom(table, RandomOptions(random));
    const CodeTable codes = ToCodeTable(table.rows, table.sizes);
    std::vector<std::vector<double>> shares(table.sizes.size(), std::vector<double>(codes.rows));
    fit.flow.LogProbPerColumn(CodeBlock(codes, 0, codes.rows),
                              std::vector<std::span<double>>(shares.begin(), shares.end()));
    std::vector<double> sums(codes.rows, 0);
    for (const auto& of_column : shares) {
      for (std::size_t i = 0; i < sums.size(); ++i) {
        EXPECT_LE(of_column[i], 0);
        sums[i] += of_column[i];
      }
    }
    EXPECT_EQ(sums, Score(fit.flow, codes).scores);
  }
}

TEST(Laws, ABaseInTheContextOfLeavesLeavesLatentCodesAlone) {
  RandomStream random(27, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 50; ++round) {
    const RandomTable table = MakeRandomTable(random, 200, 8, 6);
    LayerOptions options = RandomOptions(random);
    options.conditional_base = false;
    const LayersFit independent = FitRandom(table, options);
    options.conditional_base = true;
    const LayersFit conditional = FitRandom(table, options);
    EXPECT_EQ(std::holds_alternative<LeafBase>(conditional.flow.base()), *options.layers > 0);
    const CodeTable codes = ToCodeTable(table.rows, table.sizes);
    const Scored scored = Score(conditional.flow, codes);
    EXPECT_EQ(ToRows(scored.latent), ToRows(Score(independent.flow, codes).latent));
    EXPECT_NEAR(*conditional.curve.back().train_nll,
                -std::accumulate(scored.scores.begin(), scored.scores.end(), 0.0) / static_cast<double>(codes.rows),
                1e-9);
    EXPECT_EQ(conditional.flow.Unseen().mass, independent.flow.Unseen().mass);
  }
}

TEST(Laws, ASampleDoesNotDependOnHowItIsCut) {
  RandomStream random(18, RandomPurpose::kShuffle, 0);
  const RandomTable table = MakeRandomTable(random, 200, 6, 5);
  const LayersFit fit = FitRandom(table, RandomOptions(random));
  CodeBlock whole(100, table.sizes.size());
  fit.flow.Sample(3, 0, whole);
  CodeBlock part(30, table.sizes.size());
  fit.flow.Sample(3, 50, part);
  for (std::size_t j = 0; j < table.sizes.size(); ++j) {
    for (std::size_t i = 0; i < 30; ++i) EXPECT_EQ(part[j][i], whole[j][50 + i]);
  }
}

void ExpectSameLayers(const LayeredFlow& a, const LayeredFlow& b) {
  ASSERT_EQ(a.layers().size(), b.layers().size());
  for (std::size_t t = 0; t < a.layers().size(); ++t) {
    const TspNodes& nodes = a.layers()[t].nodes();
    const TspNodes& others = b.layers()[t].nodes();
    EXPECT_EQ(nodes.left, others.left);
    EXPECT_EQ(nodes.right, others.right);
    EXPECT_EQ(nodes.feature, others.feature);
    EXPECT_EQ(nodes.left_set.values(), others.left_set.values());
    EXPECT_EQ(nodes.moved.values(), others.moved.values());
    EXPECT_EQ(nodes.top.values(), others.top.values());
  }
}

void ExpectSameFlow(const LayeredFlow& a, const LayeredFlow& b) {
  ExpectSameLayers(a, b);
  EXPECT_EQ(a.independent_base().counts().values(), b.independent_base().counts().values());
  ASSERT_EQ(a.base().index(), b.base().index());
  if (const auto* of_leaves = std::get_if<LeafBase>(&a.base())) {
    EXPECT_EQ(of_leaves->counts().values(), std::get<LeafBase>(b.base()).counts().values());
  }
}

void Shuffle(RandomStream& random, oracle::Rows& rows) {
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) std::swap(rows[i], rows[i + random.Below(rows.size() - i)]);
}

TEST(Laws, TheModelDependsNeitherOnThreadsNorOnTheOrderOfRows) {
  RandomStream random(19, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 30; ++round) {
    RandomTable table = MakeRandomTable(random, round % 10 == 0 ? 20000 : 300, 12, 6);
    LayerOptions options = RandomOptions(random);
    options.threads = 1;
    const auto fit = [&] {
      return FitRandom(table, options, WeightedRows{ToCodeTable(table.rows, table.sizes), {}, 1});
    };
    const LayersFit one = fit();
    for (const int threads : {2, 3, 8}) {
      options.threads = threads;
      Shuffle(random, table.rows);
      const LayersFit other = fit();
      ExpectSameFlow(other.flow, one.flow);
      ASSERT_EQ(other.curve.size(), one.curve.size());
      for (std::size_t i = 0; i < one.curve.size(); ++i) {
        EXPECT_EQ(other.curve[i].train_nll, one.curve[i].train_nll);
        EXPECT_EQ(other.curve[i].valid_nll, one.curve[i].valid_nll);
      }
    }
  }
}

TEST(Laws, TheModelDoesNotDependOnTheInstructionSet) {
  RandomStream random(20, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 20; ++round) {
    const RandomTable table = MakeRandomTable(random, 2000, 12, round % 2 == 0 ? 60 : 3);
    LayerOptions options = RandomOptions(random);
    options.layers = 3;
    const LayersFit best = FitRandom(table, options);
    for (const char* target : CountingTargets()) {
      ASSERT_TRUE(ForceCountingTarget(target));
      EXPECT_STREQ(CountingTarget(), target);
      ExpectSameFlow(FitRandom(table, options).flow, best.flow);
    }
    ASSERT_TRUE(ForceCountingTarget(nullptr));
  }
}

TEST(Laws, WholeWeightsActLikeRepeatedRows) {
  RandomStream random(25, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 40; ++round) {
    const RandomTable table = MakeRandomTable(random, 100, 8, 6);
    oracle::Rows repeated;
    std::vector<std::uint64_t> weights;
    for (const oracle::Row& row : table.rows) {
      weights.push_back(1 + random.Below(5));
      repeated.insert(repeated.end(), weights.back(), row);
    }
    const LayerOptions options = RandomOptions(random);
    const auto fit = [&](WeightedRows rows) {
      return FitLayers(std::move(rows), std::nullopt, table.sizes, options, [](const LearningCurvePoint&) {}).flow;
    };
    const LayeredFlow weighted = fit({ToCodeTable(table.rows, table.sizes), weights, 1});
    ExpectSameFlow(weighted, fit({ToCodeTable(repeated, table.sizes), {}, 1}));

    // The same rows in so fine a unit that the split search counts in a coarser one.
    std::vector<std::uint64_t> fine = weights;
    for (std::uint64_t& weight : fine) weight <<= 24;
    const LayeredFlow heavy = fit({ToCodeTable(table.rows, table.sizes), fine, 0x1p-24});
    ExpectSameLayers(heavy, weighted);
    for (std::size_t j = 0; j < table.sizes.size(); ++j) {
      for (Code a = 0; a < table.sizes[j]; ++a)
        EXPECT_EQ(heavy.independent_base().LogProb(j, a), weighted.independent_base().LogProb(j, a));
    }
  }
}

}  // namespace
}  // namespace dtf
