// A hidden tree (hidden_tree.h) as a flow of one column after the other, in the tree's order: what the columns before
// it say of a column's state gives each of its categories a probability, and a category's latent code is its rank by
// (probability, code), ascending, as in an AutoregressiveFlow. The base is conditional: ln P is the tree's own.
//
// A row's states are never found, but summed over: on the way down the tree the states that a column may be in follow
// from those of its parent, and on the way up its parent's from its own, so that each branch costs two products of the
// states with the transitions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "count/aligned_buffer.h"
#include "flow/autoregressive_flow.h"
#include "flow/flow.h"
#include "flow/hidden_tree.h"

namespace dtf {

// The memory, in bytes, that the flow of a tree takes.
double HiddenTreeCost(const HiddenTree& tree, const std::vector<Code>& sizes);

class HiddenTreeFlow : public Flow {
 public:
  // REQUIRES: what format/hidden_tree_file.h checks of the tree; a base for as many columns.
  HiddenTreeFlow(std::vector<Code> sizes, HiddenTree tree, ConditionalBase base);

  const HiddenTree& tree() const { return tree_; }
  const ConditionalBase& base() const { return base_; }

  CodeBlock Encode(CodeBlock block) const override;
  CodeBlock Decode(CodeBlock latent) const override;
  void LogProb(CodeBlock block, std::span<double> out) const override;
  bool HasColumnScores() const override { return true; }
  void LogProbPerColumn(CodeBlock block, std::span<const std::span<double>> out) const override;
  void SampleRows(std::uint64_t seed, std::span<const std::uint64_t> numbers, CodeBlock& block) const override;
  UnseenMass Unseen() const override { return unseen_; }
  std::uint64_t NodeCount() const override { return 0; }
  std::uint64_t ParameterCount() const override;

 private:
  class Walk;

  // How likely each category of a column is, but for a factor, from what is known of its state.
  class CategoryShares;

  // Calls visit(column, first row, categories' shares by row, codes) for each column in the tree's order, and for the
  // rows by a few at a time. It may change the codes, which the columns after it then follow from.
  using Visit = std::function<void(Feature, std::size_t, const CategoryShares&, std::span<Code>)>;
  void ForEachColumn(CodeBlock& block, const Visit& visit) const;

  const float* OfCategory(Feature column, Code code) const {
    return categories_.data() + (first_category_[column] + code) * padded_states_;
  }

  HiddenTree tree_;
  ConditionalBase base_;
  UnseenMass unseen_;
  std::vector<double> log_seen_;    // ln (1 - ε) of each column
  std::vector<double> log_unseen_;  // ln ε
  std::size_t padded_states_;
  std::vector<std::size_t> depth_;           // of each position
  std::size_t levels_ = 0;                   // the deepest one's and one
  std::vector<std::size_t> first_category_;  // of each column
  AlignedBuffer<float> root_;
  AlignedBuffer<float> down_;           // of each position but the root: [parent's state][state]
  AlignedBuffer<float> up_;             // transposed
  AlignedBuffer<float> categories_;     // [category of all columns][state]
  std::vector<double> all_categories_;  // [column][state]: the sum of its categories
};

}  // namespace dtf
