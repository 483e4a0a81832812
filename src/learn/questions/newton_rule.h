// The gain of a split in Newton boosting: ½ Σ G² / (H + λ) of the two children, less that of their parent (Friedman
// 2001; Chen, Guestrin 2016, eq. 7). G, H: sums of gradients and Hessians.
#pragma once

#include "learn/questions/grow_tree.h"

namespace dtf {

class NewtonRule final : public SplitRule {
 public:
  // What one unit of the first sums (gradients) and of the second (Hessians) stands for. A child's Hessian must be
  // `min_hessian` or more; `min_gain` is taken off every gain.
  NewtonRule(double gradient_unit, double hessian_unit, double lambda, double min_hessian, double min_gain)
      : terms_{static_cast<float>(gradient_unit), static_cast<float>(hessian_unit), static_cast<float>(lambda),
               static_cast<float>(min_hessian), static_cast<float>(min_gain)} {}

  bool MaySplit(NodeSums node) const override { return Hessian(node.second) >= 2 * terms_.min_hessian; }

  void FindGains(NodeSums node, std::span<const std::int32_t> first, std::span<const std::int32_t> second,
                 std::span<float> gains) const override {
    const float g = Gradient(node.first);
    const float h = Hessian(node.second);
    const float before = g * g / (h + terms_.lambda);
    for (std::size_t t = 0; t < gains.size(); ++t) {
      const float pass_g = Gradient(first[t]);
      const float pass_h = Hessian(second[t]);
      const float fail_g = g - pass_g;
      const float fail_h = h - pass_h;
      const float after = pass_g * pass_g / (pass_h + terms_.lambda) + fail_g * fail_g / (fail_h + terms_.lambda);
      const float gain = 0.5f * (after - before) - terms_.min_gain;
      gains[t] = pass_h >= terms_.min_hessian && fail_h >= terms_.min_hessian ? gain : 0;
    }
  }

  // The same by vector instructions, with the same roundings.
  SplitChoice FindBest(NodeSums node, std::span<const std::int32_t> first,
                       std::span<const std::int32_t> second) const override {
    return FindBestNewtonSplit(terms_, node.first, node.second, first, second);
  }

 private:
  float Gradient(std::int32_t sum) const { return static_cast<float>(sum) * terms_.gradient_unit; }
  float Hessian(std::int32_t sum) const { return static_cast<float>(sum) * terms_.hessian_unit; }

  NewtonTerms terms_;
};

}  // namespace dtf
