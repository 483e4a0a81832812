#include "engine/random_hidden_tree.h"

#include <numeric>
#include <utility>

namespace dtf {
namespace {

// Of `count` things, which sum to 1.
std::vector<LogShare> RandomShares(RandomStream& random, std::size_t count) {
  std::vector<double> shares(count);
  for (double& share : shares) share = random.Below(8) == 0 ? 0x1p-32 : 0.01 + random.Uniform();
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::vector<LogShare> logs;
  for (const double share : shares) logs.push_back(ToLogShare(share / total));
  return logs;
}

// The columns below this position, each under it or under one of those.
void Grow(RandomStream& random, std::vector<Feature>& left, std::uint32_t position, HiddenTree& tree) {
  while (!left.empty() && (position == 0 || random.Below(2) == 0)) {
    tree.order.push_back(left.back());
    left.pop_back();
    tree.parent.push_back(position);
    Grow(random, left, static_cast<std::uint32_t>(tree.order.size() - 1), tree);
  }
}

}  // namespace

std::shared_ptr<const HiddenTreeFlow> MakeRandomHiddenTree(RandomStream& random, const std::vector<Code>& sizes,
                                                           bool closed) {
  HiddenTree tree{
      .states = 1 + random.Below(4), .order = {}, .parent = {}, .root = {}, .transitions = {}, .categories = {}};
  std::vector<Feature> left(sizes.size());
  std::iota(left.begin(), left.end(), Feature{0});
  for (std::size_t j = 0; j + 1 < left.size(); ++j) std::swap(left[j], left[j + random.Below(left.size() - j)]);
  tree.order.push_back(left.back());
  tree.parent.push_back(0);
  left.pop_back();
  Grow(random, left, 0, tree);

  const auto append = [](std::vector<LogShare>& to, const std::vector<LogShare>& shares) {
    to.insert(to.end(), shares.begin(), shares.end());
  };
  tree.root = RandomShares(random, tree.states);
  for (std::size_t k = 0; k < (sizes.size() - 1) * tree.states; ++k) {
    append(tree.transitions, RandomShares(random, tree.states));
  }
  for (const Code size : sizes) {
    std::vector<std::vector<LogShare>> of_state;
    for (std::size_t z = 0; z < tree.states; ++z) of_state.push_back(RandomShares(random, size));
    for (Code code = 0; code < size; ++code) {
      for (std::size_t z = 0; z < tree.states; ++z) tree.categories.push_back(of_state[z][code]);
    }
  }
  return std::make_shared<HiddenTreeFlow>(sizes, std::move(tree),
                                          ConditionalBase{.rows = 100, .alpha = 0.5, .closed = closed});
}

}  // namespace dtf
