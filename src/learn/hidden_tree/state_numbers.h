// A number for each root state, each pair of states of neighbours, and each category in each state: probabilities, or
// how much of the rows is expected there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "count/aligned_buffer.h"
#include "count/network_kernels.h"
#include "learn/hidden_tree/column_tree.h"

namespace dtf {

// Rows of stride() numbers, one for each state; the rest stays 0. Columns by their position in the tree.
class StateNumbers {
 public:
  // sizes: of each column of the table. All numbers are 0.
  StateNumbers(const ColumnTree& tree, std::span<const Code> sizes, std::size_t states)
      : states_(states), stride_(PaddedFloats(states)) {
    std::size_t end = stride_ * (1 + states * (tree.size() - 1));
    for (const Feature column : tree.order) {
      sizes_.push_back(sizes[column]);
      categories_.push_back(end);
      end += stride_ * (sizes[column] + std::size_t{1});
    }
    size_ = end;
    numbers_.Resize(size_);
    Clear();
  }

  std::size_t columns() const { return sizes_.size(); }
  std::size_t states() const { return states_; }
  std::size_t stride() const { return stride_; }
  Code size(std::size_t position) const { return sizes_[position]; }

  float* root() { return numbers_.data(); }
  const float* root() const { return numbers_.data(); }
  // Of any but the root: a row for each state of its parent.
  float* transitions(std::size_t position) { return numbers_.data() + TransitionsBegin(position); }
  const float* transitions(std::size_t position) const { return numbers_.data() + TransitionsBegin(position); }
  // A row for each category, and one for what is none.
  float* categories(std::size_t position) { return numbers_.data() + categories_[position]; }
  const float* categories(std::size_t position) const { return numbers_.data() + categories_[position]; }

  std::span<float> all() { return {numbers_.data(), size_}; }
  std::span<const float> all() const { return {numbers_.data(), size_}; }
  void Clear() { std::ranges::fill(all(), 0.0f); }

 private:
  std::size_t TransitionsBegin(std::size_t position) const { return stride_ * (1 + states_ * (position - 1)); }

  std::size_t states_;
  std::size_t stride_;
  std::vector<Code> sizes_;
  std::vector<std::size_t> categories_;
  std::size_t size_ = 0;
  AlignedBuffer<float> numbers_;
};

}  // namespace dtf
