// The engine reproduces the golden files, the exact outputs of the authors' program: every node's split and both of its
// permutations, latent codes, Q and log-likelihoods (1e-9). Where the files are looked up: oracle/golden_json.h.
#include "oracle/golden_json.h"

#include <cmath>

#include <gtest/gtest.h>

#include "engine/learnt_tree.h"
#include "engine/tables.h"
#include "flow/layered_flow.h"

namespace dtf {
namespace {

class EngineGoldenTest : public testing::TestWithParam<const char*> {};

std::unique_ptr<Criterion> CriterionFor(const oracle::GoldenCase& golden, const oracle::Tree& tree) {
  if (!golden.random_splits) return MakeCriterion(CriterionKind::kGlpCode, 0, 2);
  std::vector<oracle::Split> splits;
  for (const oracle::Node& node : tree.nodes) splits.push_back({node.feature, node.left_raw});
  return std::make_unique<GivenCriterion>(splits);
}

Ragged<std::uint64_t> CountColumns(const oracle::Rows& rows, const std::vector<Code>& sizes) {
  Ragged<std::uint64_t> counts;
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    std::vector<std::uint64_t> of_column(sizes[j], 0);
    for (const oracle::Row& row : rows) ++of_column[row[j]];
    counts.Append(of_column);
  }
  return counts;
}

TEST_P(EngineGoldenTest, ReproducesTheFile) {
  const std::string missing = oracle::MissingGoldenFile(GetParam());
  if (!missing.empty()) {
    GTEST_SKIP() << "golden file " << missing << " not found under " << oracle::GoldenFolder()
                 << " (set DTF_TEST_DATA)";
  }
  const oracle::GoldenCase golden = oracle::ReadGoldenCase(GetParam());
  const std::vector<Code> sizes(golden.sizes.begin(), golden.sizes.end());
  oracle::Rows train = golden.train;
  std::vector<Tsp> layers;
  for (const oracle::Tree& tree : golden.trees) {
    SCOPED_TRACE("tree " + std::to_string(layers.size()));
    const auto criterion = CriterionFor(golden, tree);
    const GrowOptions options{.max_depth = golden.max_depth, .min_split_rows = static_cast<double>(golden.n_min)};
    const LearntTree learnt = LearnTree(ToCodeTable(train, sizes), sizes, options, layers.size(), *criterion);
    ExpectSameTree(learnt, tree, sizes);
    layers.push_back(learnt.tsp);
    EXPECT_EQ(static_cast<long>(layers.back().ParameterCount(*std::max_element(sizes.begin(), sizes.end()))),
              golden.parameters.at(layers.size() - 1));
    train = Forward(layers.back(), train, sizes);
  }

  const IndependentBase base(CountColumns(train, sizes), 1, golden.alpha, true);
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    for (Code a = 0; a < sizes[j]; ++a) EXPECT_NEAR(std::exp(base.LogProb(j, a)), golden.base.back()[j][a], 1e-12);
  }
  const LayeredFlow flow(sizes, std::move(layers), base);
  const CodeBlock block(ToCodeTable(golden.test, sizes), 0, golden.test.size());
  std::vector<double> scores(golden.test.size());
  flow.LogProb(block, scores);
  const CodeBlock latent = flow.Encode(block);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    EXPECT_NEAR(scores[i], golden.test_log_likelihood[i], 1e-9);
    for (std::size_t j = 0; j < sizes.size(); ++j) ASSERT_EQ(static_cast<int>(latent[j][i]), golden.test_z[i][j]);
  }
}

INSTANTIATE_TEST_SUITE_P(AllCases, EngineGoldenTest,
                         testing::Values("coph_f0_stable", "copm_f0_stable", "copw_f0_stable", "mushroom_f0_stable",
                                         "mushroom_f0_full_stable", "8gauss_f0_stable", "8gauss_f0_full_stable",
                                         "coph_f0_rnd_stable", "8gauss_f0_rnd_M5_stable", "mushroom_f0_rnd_M7_stable"),
                         [](const auto& param) { return "case_" + std::string(param.param); });

}  // namespace
}  // namespace dtf
