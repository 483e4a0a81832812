// The gain of a split in a classification tree: by how much it lowers entropy · rows, in nats.
#pragma once

#include <vector>

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
  double XLogX(std::int32_t count) const;
  // −(entropy · count) of a node, in units.
  double Certainty(std::int32_t yes, std::int32_t count) const {
    return XLogX(yes) + XLogX(count - yes) - XLogX(count);
  }

  double unit_;
  double least_gain_;
  std::vector<double> values_;  // of the small counts
};

}  // namespace dtf
