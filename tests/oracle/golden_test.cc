// The oracle reproduces the golden files, the exact outputs of the authors' program: structure, permutations, codes and
// counts exactly, Q to 1e-12, log-likelihoods (nats) to 1e-9.
#include "oracle/golden_json.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "oracle/oracle.h"

namespace dtf::oracle {
namespace {

Rows Map(const Tree& tree, Rows rows) {
  for (Row& row : rows) row = Forward(tree, row);
  return rows;
}

class GoldenTest : public testing::TestWithParam<const char*> {};

std::vector<LearnOptions> LayersOf(const GoldenCase& golden) {
  std::vector<LearnOptions> layers;
  for (const Tree& tree : golden.trees) {
    LearnOptions options{
        golden.random_splits ? Criterion::kGiven : Criterion::kGlpCode, golden.max_depth, golden.n_min, {}};
    if (golden.random_splits) {
      for (const Node& node : tree.nodes) options.given.push_back({node.feature, node.left_raw});
    }
    layers.push_back(std::move(options));
  }
  return layers;
}

void ExpectSameTree(const Tree& tree, const Tree& golden, const LearnOptions& options) {
  ASSERT_EQ(tree.nodes.size(), golden.nodes.size());
  for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
    SCOPED_TRACE("node " + std::to_string(at));
    const Node& node = tree.nodes[at];
    const Node& expected = golden.nodes[at];
    EXPECT_EQ(node.parent, expected.parent);
    EXPECT_EQ(node.left, expected.left);
    EXPECT_EQ(node.right, expected.right);
    EXPECT_EQ(node.depth, expected.depth);
    EXPECT_EQ(node.rows, expected.rows);
    ASSERT_EQ(node.feature, expected.feature);
    ASSERT_EQ(node.left_raw, expected.left_raw);
    EXPECT_EQ(MaySplit(node, options), !expected.IsLeaf());
    EXPECT_EQ(node.left_new, expected.left_new);
    EXPECT_EQ(node.domain_raw, expected.domain_raw);
    EXPECT_EQ(node.perm_tilde, expected.perm_tilde);
    EXPECT_EQ(node.perm, expected.perm);
  }
}

void ExpectNear(const std::vector<double>& values, const std::vector<double>& golden, double tolerance) {
  ASSERT_EQ(values.size(), golden.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], golden[i], tolerance);
}

// Q and the mean NLLs after t trees.
void ExpectBase(const GoldenCase& golden, std::size_t t, const Rows& train, const Rows& test) {
  const auto base = IndependentBase(train, golden.sizes, golden.alpha);
  for (std::size_t j = 0; j < base.size(); ++j) ExpectNear(base[j], golden.base.at(t).at(j), 1e-12);
  const auto mean_nll = [&](const Rows& rows) {
    double sum = 0;
    for (const Row& z : rows) sum -= LogBase(base, z);
    return sum / static_cast<double>(rows.size());
  };
  EXPECT_NEAR(mean_nll(train), golden.train_nll.at(t), 1e-9);
  EXPECT_NEAR(mean_nll(test), golden.test_nll.at(t), 1e-9);
}

void ExpectScores(const GoldenCase& golden, const Flow& flow) {
  ASSERT_EQ(golden.test.size(), golden.test_z.size());
  std::vector<double> scores;
  for (std::size_t i = 0; i < golden.test.size(); ++i) {
    EXPECT_EQ(Encode(flow, golden.test[i]), golden.test_z[i]);
    EXPECT_EQ(Decode(flow, golden.test_z[i]), golden.test[i]);
    scores.push_back(LogLikelihood(flow, golden.test[i]));
  }
  ExpectNear(scores, golden.test_log_likelihood, 1e-9);
  scores.clear();
  for (const Row& x : golden.first_test) scores.push_back(LogLikelihood(flow, x));
  ExpectNear(scores, golden.first_test_log_likelihood, 1e-9);
}

TEST_P(GoldenTest, IsReproduced) {
  const std::string missing = MissingGoldenFile(GetParam());
  if (!missing.empty()) {
    GTEST_SKIP() << "golden file " << missing << " not found under " << GoldenFolder() << " (set DTF_TEST_DATA)";
  }
  const GoldenCase golden = ReadGoldenCase(GetParam());
  const std::vector<LearnOptions> layers = LayersOf(golden);
  const Flow flow = FitFlow(golden.train, golden.sizes, layers, golden.alpha);
  Rows train = golden.train, test = golden.test, first = golden.first_test;
  ExpectBase(golden, 0, train, test);
  for (std::size_t t = 0; t < golden.trees.size(); ++t) {
    SCOPED_TRACE("tree " + std::to_string(t));
    const Tree& tree = flow.trees.at(t);
    ExpectSameTree(tree, golden.trees[t], layers[t]);
    if (HasFatalFailure()) return;
    EXPECT_EQ(ParameterCount(tree, golden.sizes), golden.parameters[t]);
    EXPECT_TRUE(IsRankConsistent(tree, train, golden.sizes));
    train = Map(tree, train);
    test = Map(tree, test);
    first = Map(tree, first);
    EXPECT_EQ(first, golden.first_test_z.at(t));
    ExpectBase(golden, t + 1, train, test);
  }
  ExpectScores(golden, flow);
}

INSTANTIATE_TEST_SUITE_P(AuthorsProgram, GoldenTest,
                         testing::Values("coph_f0_stable", "copm_f0_stable", "copw_f0_stable", "coph_f0_rnd_stable",
                                         "8gauss_f0_stable", "8gauss_f0_full_stable", "8gauss_f0_rnd_M5_stable",
                                         "mushroom_f0_stable", "mushroom_f0_full_stable", "mushroom_f0_rnd_M7_stable"),
                         [](const auto& test) { return "Case_" + std::string(test.param); });

}  // namespace
}  // namespace dtf::oracle
