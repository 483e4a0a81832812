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
  for (std::size_t slot = 0; slot < positions_.size(); ++slot) Tabulate(*members[positions_[slot]], slot);
}

// Scores a block of rows in which each column has all its codes.
void FixedMembers::Tabulate(const Flow& member, std::size_t slot) {
  const std::vector<Code>& sizes = member.sizes();
  const std::size_t rows = *std::ranges::max_element(sizes) + std::size_t{1};
  CodeBlock codes(rows, sizes.size());
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    for (std::size_t i = 0; i < rows; ++i) codes[j][i] = std::min(static_cast<Code>(i), sizes[j]);
  }
  std::vector<double> cells(rows * sizes.size());
  std::vector<std::span<double>> columns;
  for (std::size_t j = 0; j < sizes.size(); ++j) columns.push_back(std::span(cells).subspan(j * rows, rows));
  member.LogProbPerColumn(std::move(codes), columns);
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    for (std::size_t code = 0; code <= sizes[j]; ++code) {
      scores_[(first_line_[j] + code) * stride_ + slot] = columns[j][code];
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
