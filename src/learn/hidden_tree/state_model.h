// The probabilities of a tree of hidden states, while they are learnt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "count/aligned_buffer.h"
#include "flow/hidden_tree.h"
#include "learn/hidden_tree/column_tree.h"
#include "learn/hidden_tree/state_numbers.h"
#include "learn/weighted_rows.h"

namespace dtf {

class StateModel {
 public:
  // Begins at random, by `seed` and `number`, far from independent columns. Keeps a reference to the tree. sizes: of
  // each column of the table, positive.
  StateModel(const ColumnTree& tree, const WeightedRows& rows, std::span<const Code> sizes, std::size_t states,
             std::uint64_t seed, std::uint64_t number);

  // Takes what is most probable, given the share of the rows expected in each place, and `prior_share` times as much in
  // each state, spread as in the whole table.
  void Learn(const StateNumbers& expected, float prior_share);

  const StateNumbers& shares() const { return shares_; }
  // A column's transitions: a row for each of its states, of those of its parent.
  const float* transposed(std::size_t position) const {
    return transposed_.data() + (position - 1) * shares_.states() * shares_.stride();
  }

  HiddenTree ToHiddenTree() const;

 private:
  void StartCategories(std::uint64_t seed, std::uint64_t number);
  void StartTransitions(std::uint64_t seed, std::uint64_t number);
  void LearnRoot(const StateNumbers& expected, float prior_share);
  void LearnTransitions(const StateNumbers& expected, float prior_share, std::size_t position);
  void LearnCategories(const StateNumbers& expected, float prior_share, std::size_t position);
  void Transpose(std::size_t position);

  const ColumnTree& tree_;
  StateNumbers shares_;
  AlignedBuffer<float> transposed_;
  std::vector<std::vector<float>> of_table_;  // by position, category: its share
  std::vector<float> sums_;                   // by state
};

}  // namespace dtf
