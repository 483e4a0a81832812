#include "flow/fixed_members.h"

#include <algorithm>
#include <array>

namespace dtf {
namespace {

// Members whose sums are kept at a time.
constexpr std::size_t kTile = 32;
constexpr std::size_t kMostScores = std::size_t{1} << 23;  // 64 MB

}  // namespace

FixedMembers::FixedMembers(std::span<const std::shared_ptr<const Flow>> members) {
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (members[m]->HasFixedColumns()) positions_.push_back(m);
  }
  if (positions_.empty()) return;
  std::size_t lines = 0;
  for (const Code size : members.front()->sizes()) {
    first_line_.push_back(lines);
    lines += size + std::size_t{1};  // the unseen slot
  }
  stride_ = (positions_.size() + kTile - 1) / kTile * kTile;
  if (lines > kMostScores / stride_) {
    positions_.clear();
    return;
  }
  scores_.resize(lines * stride_);
  for (std::size_t slot = 0; slot < positions_.size(); ++slot) {
    const Flow& member = *members[positions_[slot]];
    for (std::size_t j = 0; j < first_line_.size(); ++j) {
      for (Code code = 0; code <= member.sizes()[j]; ++code) {
        scores_[(first_line_[j] + code) * stride_ + slot] = member.FixedScore(j, code);
      }
    }
  }
}

void FixedMembers::LogProb(const CodeBlock& block, std::span<double> joint) const {
  for (std::size_t first = 0; first < positions_.size(); first += kTile) {
    const std::size_t taken = std::min(kTile, positions_.size() - first);
    for (std::size_t i = 0; i < block.rows(); ++i) {
      std::array<double, kTile> sums{};
      for (std::size_t j = 0; j < block.columns(); ++j) {
        const double* line = scores_.data() + (first_line_[j] + block[j][i]) * stride_ + first;
        for (std::size_t s = 0; s < kTile; ++s) sums[s] += line[s];
      }
      for (std::size_t s = 0; s < taken; ++s) joint[positions_[first + s] * block.rows() + i] = sums[s];
    }
  }
}

}  // namespace dtf
