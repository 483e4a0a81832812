#include "learn/forest/mixture_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace dtf {
namespace {

struct Scored {
  MemberScores scores;
  std::vector<double> row_weights;
};

// Some rows are better known to one member than to the others.
Scored RandomScores(std::size_t members, std::size_t rows, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform;
  Scored scored{MemberScores(members, std::vector<double>(rows)), std::vector<double>(rows)};
  for (std::size_t i = 0; i < rows; ++i) {
    scored.row_weights[i] = 0.25 * static_cast<double>(1 + random() % 20);
    const double common = -1000 * uniform(random);
    for (auto& member : scored.scores) member[i] = common - 3 * uniform(random);
  }
  return scored;
}

double LogLikelihood(const Scored& scored, const std::vector<double>& weights) {
  return MixtureScore(scored.scores, weights, scored.row_weights);
}

std::vector<std::size_t> EachItsOwn(const Scored& scored) {
  std::vector<std::size_t> groups(scored.scores.size());
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  return groups;
}

TEST(MixtureScore, IsTheWeightedMeanOfTheRows) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 50; ++round) {
    const Scored scored = RandomScores(1 + random() % 5, 1 + random() % 30, random);
    std::vector<double> weights(scored.scores.size());
    for (double& weight : weights) weight = static_cast<double>(1 + random() % 9);
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) weight /= all;
    long double sum = 0;
    long double total = 0;
    for (std::size_t i = 0; i < scored.row_weights.size(); ++i) {
      long double p = 0;  // of 80 bits: e^-1000 is a number
      for (std::size_t m = 0; m < weights.size(); ++m) {
        p += weights[m] * std::exp(static_cast<long double>(scored.scores[m][i]));
      }
      sum += scored.row_weights[i] * std::log(p);
      total += scored.row_weights[i];
    }
    EXPECT_NEAR(LogLikelihood(scored, weights), static_cast<double>(sum / total), 1e-9);
  }
}

TEST(FitWeights, SumToOneAndNeverLowerTheLikelihood) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 50; ++round) {
    const Scored scored = RandomScores(1 + random() % 6, 1 + random() % 50, random);
    double last = -std::numeric_limits<double>::infinity();
    for (int steps = 0; steps < 20; ++steps) {
      const auto weights = FitWeights(scored.scores, EachItsOwn(scored), scored.row_weights, steps);
      EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-12);
      for (const double weight : weights) EXPECT_GT(weight, 0);
      const double likelihood = LogLikelihood(scored, weights);
      // The least weight allowed may take a little.
      EXPECT_GE(likelihood, last - 1e-5);
      last = likelihood;
    }
  }
}

// No weights on a grid are better than those of two members after many steps.
TEST(FitWeights, FindTheBest) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20; ++round) {
    const Scored scored = RandomScores(2, 40, random);
    const double reached =
        LogLikelihood(scored, FitWeights(scored.scores, EachItsOwn(scored), scored.row_weights, 3000));
    for (int step = 1; step < 100; ++step) {
      EXPECT_GE(reached, LogLikelihood(scored, {0.01 * step, 1 - 0.01 * step}) - 1e-5);
    }
  }
}

TEST(FitWeights, OfAUselessMemberGoDown) {
  std::mt19937_64 random(4);
  Scored scored = RandomScores(3, 100, random);
  for (std::size_t i = 0; i < 100; ++i) scored.scores[1][i] = std::min(scored.scores[0][i], scored.scores[2][i]) - 0.3;
  double last = 1;
  for (const int steps : {0, 1, 2, 4, 8, 1000}) {
    const auto weights = FitWeights(scored.scores, EachItsOwn(scored), scored.row_weights, steps);
    EXPECT_LT(weights[1], last);
    EXPECT_GT(weights[1], 0);
    last = weights[1];
  }
  EXPECT_LT(last, 1e-5);
}

TEST(FitWeights, OfEqualMembersAreEqual) {
  std::mt19937_64 random(5);
  Scored scored = RandomScores(1, 30, random);
  scored.scores.resize(4, scored.scores[0]);
  for (const double weight : FitWeights(scored.scores, EachItsOwn(scored), scored.row_weights, 30))
    EXPECT_NEAR(weight, 0.25, 1e-12);
}

// A group is a member of its own: the even mixture of those in it.
TEST(FitWeights, OfAGroupAreThoseOfItsMixture) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20; ++round) {
    const Scored scored = RandomScores(6, 40, random);
    const std::vector<std::size_t> groups = {3, 0, 3, 1, 0, 1};
    Scored mixtures{MemberScores(3, std::vector<double>(40)), scored.row_weights};
    for (std::size_t i = 0; i < 40; ++i) {
      const auto mix = [&](std::size_t a, std::size_t b) {
        const double most = std::max(scored.scores[a][i], scored.scores[b][i]);
        return most + std::log((std::exp(scored.scores[a][i] - most) + std::exp(scored.scores[b][i] - most)) / 2);
      };
      mixtures.scores[0][i] = mix(0, 2);
      mixtures.scores[1][i] = mix(1, 4);
      mixtures.scores[2][i] = mix(3, 5);
    }
    const auto weights = FitWeights(scored.scores, groups, scored.row_weights, 50);
    const auto expected = FitWeights(mixtures.scores, EachItsOwn(mixtures), scored.row_weights, 50);
    constexpr std::size_t kMixtureOf[] = {0, 1, 0, 2, 1, 2};
    for (std::size_t m = 0; m < 6; ++m) EXPECT_NEAR(weights[m], expected[kMixtureOf[m]] / 2, 1e-9);
  }
}

// A row with a value that no member keeps any probability for tells nothing about the members.
TEST(FitWeights, DoNotDependOnRowsThatNoMemberCanBringForth) {
  std::mt19937_64 random(6);
  Scored scored = RandomScores(3, 50, random);
  const auto expected = FitWeights(scored.scores, EachItsOwn(scored), scored.row_weights, 200);
  for (auto& member : scored.scores) member.push_back(-std::numeric_limits<double>::infinity());
  scored.row_weights.push_back(2);
  const auto weights = FitWeights(scored.scores, EachItsOwn(scored), scored.row_weights, 200);
  for (std::size_t m = 0; m < 3; ++m) EXPECT_NEAR(weights[m], expected[m], 0.01);
  EXPECT_EQ(LogLikelihood(scored, weights), -std::numeric_limits<double>::infinity());
}

TEST(ExtrapolatedScore, OfAsManyIsTheirMixture) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20; ++round) {
    const Scored scored = RandomScores(2 + random() % 4, 1 + random() % 30, random);
    const auto members = static_cast<int>(scored.scores.size());
    const std::vector<double> evenly(scored.scores.size(), 1.0 / members);
    EXPECT_NEAR(ExtrapolatedScore(scored.scores, scored.row_weights, members), LogLikelihood(scored, evenly), 1e-9);
  }
}

// Four of 24 members that err by chance say what all of them are worth together: far more closely than the four
// themselves, whose mixture is worth less.
TEST(ExtrapolatedScore, OfMoreIsNearTheMixtureOfMore) {
  std::mt19937_64 random(8);
  for (const double spread : {0.2, 0.5}) {
    std::normal_distribution<double> error(0, spread);
    const std::size_t rows = 4000;
    Scored all{MemberScores(24, std::vector<double>(rows)), std::vector<double>(rows, 1)};
    for (auto& member : all.scores) {
      for (double& score : member) score = -10 + error(random);
    }
    const MemberScores few(all.scores.begin(), all.scores.begin() + 4);
    const double mixed = LogLikelihood(all, std::vector<double>(24, 1.0 / 24));
    const double mixed_few = MixtureScore(few, std::vector<double>(4, 0.25), all.row_weights);
    EXPECT_NEAR(ExtrapolatedScore(few, all.row_weights, 24), mixed, 0.2 * (mixed - mixed_few));
  }
}

}  // namespace
}  // namespace dtf
