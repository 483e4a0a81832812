// Left counts of a block of candidates.
#pragma once

#include <cstddef>
#include <vector>

#include "base/ragged.h"
#include "count/aligned_buffer.h"
#include "count/node_counts.h"

namespace dtf {

// Counts for a range of features and a block of candidates, value-major: for feature j and the i-th code present in the
// node, Row(j, i)[c] counts the node's rows that candidate c sends left and that have this code. Rows are `width` lanes
// long, those after the last candidate 0. (In a candidate's own feature all its rows have its value.)
class BlockCounts {
 public:
  // Lanes a row is padded to, so that vector code may run over its end.
  static constexpr std::size_t kLanes = 16;

  static std::size_t WidthOf(std::size_t candidates) { return (candidates + kLanes - 1) / kLanes * kLanes; }

  // For features [first, last) with these present codes; the counts are garbage at first. Allocates only when larger
  // than ever before: 4 B for each lane and present code.
  void Reset(const Ragged<Code>& present, Feature first, Feature last, std::size_t width) {
    width_ = width;
    first_ = first;
    begin_.clear();
    for (Feature j = first; j <= last; ++j) begin_.push_back(present.Begin(j) - present.Begin(first));
    first_row_ = present.Begin(first);
    counts_.Resize(begin_.back() * width_);
  }

  std::size_t width() const { return width_; }
  Feature first() const { return first_; }
  Feature last() const { return first_ + static_cast<Feature>(begin_.size() - 1); }
  std::size_t present(Feature j) const { return begin_[j - first_ + 1] - begin_[j - first_]; }
  // Rows of the features before the first one.
  std::size_t first_row() const { return first_row_; }

  Count* Row(Feature j, std::size_t i) { return counts_.data() + (begin_[j - first_] + i) * width_; }
  const Count* Row(Feature j, std::size_t i) const { return counts_.data() + (begin_[j - first_] + i) * width_; }

 private:
  std::size_t width_ = 0;
  Feature first_ = 0;
  std::size_t first_row_ = 0;
  std::vector<std::size_t> begin_ = {0};
  AlignedBuffer<Count> counts_;
};

}  // namespace dtf
