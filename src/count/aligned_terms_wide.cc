#include "count/aligned_terms_wide.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace dtf {
namespace {

// Candidates handled together.
constexpr std::size_t kLanes = BlockCounts::kLanes;

class WideTerms {
 public:
  WideTerms(const BlockCounts& counts, Feature j, const AlignedFeature& feature)
      : counts_(counts),
        feature_j_(j),
        feature_(feature),
        order_(feature.node.size()),
        sorted_(feature.node.size()),
        sums_(feature.node.size() * kLanes) {
    std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    std::stable_sort(order_.begin(), order_.end(), [&](auto a, auto b) { return feature.node[a] < feature.node[b]; });
    for (std::size_t r = 0; r < order_.size(); ++r) sorted_[r] = feature.node[order_[r]];
  }

  // Adds the terms of lanes [first, first + kLanes).
  void AddTerms(std::size_t first, double* scores) {
    FindNonZero(first);
    for (std::size_t lane = 0; lane < kLanes; ++lane) MergeRanks(lane);
    std::array<double, kLanes> terms{};
    const double* values = feature_.values.data();
    for (std::size_t r = 0; r < sorted_.size(); ++r) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        terms[lane] += values[feature_.beside[r] + sums_[r * kLanes + lane]];
      }
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) scores[lane] += terms[lane] + feature_.constant;
  }

 private:
  struct NonZero {
    std::uint32_t rank;  // of the code among the node's
    Count left;
  };

  void FindNonZero(std::size_t first) {
    for (auto& lane : non_zero_) lane.clear();
    for (std::uint32_t rank = 0; rank < order_.size(); ++rank) {
      const Count* left = counts_.Row(feature_j_, order_[rank]) + first;
      Count any = 0;
      for (std::size_t lane = 0; lane < kLanes; ++lane) any |= left[lane];
      if (any == 0) continue;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        if (left[lane] != 0) non_zero_[lane].push_back({rank, left[lane]});
      }
    }
  }

  // sums_[r][lane] = the r-th least left count + the r-th least right count.
  void MergeRanks(std::size_t lane) {
    const std::vector<NonZero>& non_zero = non_zero_[lane];
    left_.clear();
    right_.clear();
    for (const auto [rank, left] : non_zero) {
      left_.push_back(left);
      right_.push_back(sorted_[rank] - left);
    }
    std::sort(left_.begin(), left_.end());
    std::sort(right_.begin(), right_.end());
    auto changed = non_zero.begin();
    auto moved = right_.begin();
    Count* sum = sums_.data() + lane;
    for (std::uint32_t rank = 0; rank < sorted_.size(); ++rank) {
      if (changed != non_zero.end() && changed->rank == rank) {
        ++changed;
        continue;
      }
      for (; moved != right_.end() && *moved < sorted_[rank]; ++moved, sum += kLanes) *sum = *moved;
      *sum = sorted_[rank];
      sum += kLanes;
    }
    for (; moved != right_.end(); ++moved, sum += kLanes) *sum = *moved;
    sum -= left_.size() * kLanes;
    for (const Count left : left_) {
      *sum += left;
      sum += kLanes;
    }
  }

  const BlockCounts& counts_;
  Feature feature_j_;
  const AlignedFeature& feature_;
  std::vector<std::uint32_t> order_;  // codes by the node's count, least first
  std::vector<Count> sorted_;         // these counts
  std::vector<Count> sums_;           // [rank][lane]
  std::array<std::vector<NonZero>, kLanes> non_zero_;
  std::vector<Count> left_;
  std::vector<Count> right_;
};

}  // namespace

void AddWideAlignedTerms(const BlockCounts& counts, Feature j, const AlignedFeature& feature,
                         std::span<double> scores) {
  WideTerms terms(counts, j, feature);
  for (std::size_t first = 0; first < counts.width(); first += kLanes) terms.AddTerms(first, scores.data() + first);
}

}  // namespace dtf
