// Of the rows that have some patterns, the part that is expected to be in each state, by what a model says: messages up
// and down the tree (Pearl, Probabilistic Reasoning in Intelligent Systems, 1988).
#pragma once

#include <cstddef>
#include <vector>

#include "count/aligned_buffer.h"
#include "learn/hidden_tree/column_tree.h"
#include "learn/hidden_tree/state_model.h"
#include "learn/hidden_tree/state_numbers.h"
#include "learn/hidden_tree/subtree_patterns.h"

namespace dtf {

class ExpectedShares {
 public:
  explicit ExpectedShares(const ColumnTree& tree) : tree_(tree), columns_(tree.size()) {}

  // Of states, pairs of them and categories in them; overwrites `expected`.
  void Find(const StateModel& model, const SubtreePatterns& patterns, StateNumbers& expected);

 private:
  // Of each pattern a row of numbers, one for each state.
  struct Column {
    AlignedBuffer<float> inside;  // the pattern's probability, given the state, over the greatest one
    // The same, given the parent's state: on the way up. On the way down, for each state of the parent, the share of
    // the rows with this pattern over that.
    AlignedBuffer<float> message;
  };

  void GoUp(const StateModel& model, const SubtreePatterns& patterns);
  void FindInside(const StateModel& model, const SubtreePatterns& patterns, std::size_t position);
  void GoDown(const StateModel& model, const SubtreePatterns& patterns, StateNumbers& expected);
  // The part of the rows with each pattern of the column that is in each state.
  void StartAtRoot(const StateModel& model, const SubtreePatterns& patterns, StateNumbers& expected);
  void ComeFromParent(const StateModel& model, std::size_t count, std::size_t position, StateNumbers& expected);
  void TellChildren(const SubtreePatterns& patterns, std::size_t position);

  const ColumnTree& tree_;
  std::vector<Column> columns_;
  AlignedBuffer<float> posterior_;  // of the column in work
  AlignedBuffer<float> sums_;       // of a child's patterns
  std::size_t states_ = 0;
  std::size_t stride_ = 0;
};

}  // namespace dtf
