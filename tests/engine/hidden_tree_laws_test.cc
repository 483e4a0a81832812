// What a hidden tree's probabilities are, by summing over all states. The laws of every model are with those of
// autoregressive flows.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "engine/random_hidden_tree.h"

namespace dtf {
namespace {

// The sum over the states of the positions from `position` on; `states`: those before it.
double SumOfStates(const HiddenTreeFlow& flow, const CodeBlock& row, std::vector<std::size_t>& states) {
  const HiddenTree& tree = flow.tree();
  const std::size_t position = states.size();
  if (position == tree.order.size()) return 1;
  const Feature column = tree.order[position];
  std::size_t first = 0;
  for (Feature j = 0; j < column; ++j) first += flow.sizes()[j];
  const Code code = row[column][0];
  double sum = 0;
  for (std::size_t z = 0; z < tree.states; ++z) {
    double share = FromLogShare(tree.root[z]);
    if (position > 0) {
      share = FromLogShare(
          tree.transitions[((position - 1) * tree.states + states[tree.parent[position]]) * tree.states + z]);
    }
    if (code < flow.sizes()[column]) share *= FromLogShare(tree.categories[(first + code) * tree.states + z]);
    states.push_back(z);
    sum += share * SumOfStates(flow, row, states);
    states.pop_back();
  }
  return sum;
}

TEST(HiddenTreeLaws, TheScoreIsTheSumOverAllStates) {
  RandomStream random(51, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 200; ++round) {
    std::vector<Code> sizes(1 + random.Below(5));
    for (Code& size : sizes) size = static_cast<Code>(1 + random.Below(4));
    const bool closed = random.Below(2) == 0;
    const auto flow = MakeRandomHiddenTree(random, sizes, closed);
    CodeBlock row(1, sizes.size());
    double of_slots = 0;
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      row[j][0] = static_cast<Code>(random.Below(sizes[j] + (closed ? 0 : 1)));
      const double unseen = flow->base().Unseen(j, sizes[j]);
      of_slots += std::log(row[j][0] == sizes[j] ? unseen : 1 - unseen);
    }
    std::vector<double> score(1);
    flow->LogProb(row, score);
    std::vector<std::size_t> states;
    const double expected = std::log(SumOfStates(*flow, row, states)) + of_slots;
    // Shares are rounded by 0.07 % at most, so that those of states may not sum to 1.
    EXPECT_NEAR(score[0], expected, 0.0015 * (2 * static_cast<double>(sizes.size()) + 1));
  }
}

TEST(LogShares, AreTheNearestOnes) {
  EXPECT_EQ(ToLogShare(1), 0);
  EXPECT_EQ(ToLogShare(0.5), 512);
  EXPECT_EQ(ToLogShare(1e-300), kMostLogShare);
  for (int share = 0; share <= kMostLogShare; share += 7) {
    EXPECT_EQ(ToLogShare(FromLogShare(static_cast<LogShare>(share))), share);
    EXPECT_NEAR(FromLogShare(static_cast<LogShare>(share)), std::exp2(-share / 512.0), 1e-15);
  }
}

}  // namespace
}  // namespace dtf
