// The gain of a split in a classification tree: by how much it lowers entropy · rows, in nats.
#pragma once

#include <cstdint>

#include "base/x_log_x_table.h"
#include "learn/questions/grow_tree.h"

namespace dtf {

// First sums: weight of the rows that answer yes; second: of all rows. `least_gain`, in nats, is taken off every gain.
class EntropyRule final : public SplitRule {
 public:
  // `unit`: rows that one unit of the sums stands for; `total`: the sums' largest value.
  EntropyRule(double unit, std::int32_t total, double least_gain);

  bool MaySplit(NodeSums node) const override { return node.first > 0 && node.first < node.second; }

  void FindGains(NodeSums node, std::span<const std::int32_t> first, std::span<const std::int32_t> second,
                 std::span<float> gains) const override;

 private:
  // −(entropy · count) of a node, in units.
  double Certainty(std::int32_t yes, std::int32_t count) const {
    const auto x_log_x = [&](std::int32_t of) { return x_log_x_.Of(static_cast<std::uint32_t>(of)); };
    return x_log_x(yes) + x_log_x(count - yes) - x_log_x(count);
  }

  double unit_;
  double least_gain_;
  XLogXTable x_log_x_;
};

}  // namespace dtf
