#include "learn/questions/entropy_rule.h"

#include <algorithm>

namespace dtf {
namespace {

constexpr std::int32_t kMostValues =
    1 << 14;  // the table is filled anew for each tree: so it is a small part of the work

}  // namespace

EntropyRule::EntropyRule(double unit, std::int32_t total, double least_gain)
    : unit_(unit), least_gain_(least_gain), x_log_x_(static_cast<std::size_t>(std::min(total, kMostValues)) + 1) {}

void EntropyRule::FindGains(NodeSums node, std::span<const std::int32_t> first, std::span<const std::int32_t> second,
                            std::span<float> gains) const {
  const double before = Certainty(node.first, node.second);
  for (std::size_t t = 0; t < gains.size(); ++t) {
    if (second[t] == 0 || second[t] == node.second) {
      gains[t] = 0;
      continue;
    }
    const double after = Certainty(first[t], second[t]) + Certainty(node.first - first[t], node.second - second[t]);
    gains[t] = static_cast<float>(unit_ * (after - before) - least_gain_);
  }
}

}  // namespace dtf
