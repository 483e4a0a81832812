// Checks of an autoregressive flow in a model file (checks.h). Each function throws Error(kModelFile).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "flow/autoregressive_flow.h"

namespace dtf {

// Checks the conditioners of a flow, one column after the other.
class ConditionerChecker {
 public:
  // Checks that `order` has each column once and that each test passes some codes of a column. Keeps references.
  ConditionerChecker(const std::vector<Code>& sizes, std::span<const Feature> order, std::span<const CodeTest> tests);

  // Checks that there is one question fewer than categories, that the questions are a binary tree of all categories,
  // that trees and terms only test columns before this one in the order, and that no logit can exceed kMostLogit.
  void Check(Feature column, const Conditioner& conditioner);

 private:
  void CheckTest(std::uint32_t test) const;
  void CheckTree(const LogitTree& tree);
  // Marks a child of the node at `parent` as claimed; returns whether it is a valid child that was not claimed before.
  bool Claim(std::int32_t child, std::size_t parent, std::size_t nodes, std::size_t leaves);
  void StartClaims(std::size_t nodes, std::size_t leaves);

  const std::vector<Code>& sizes_;
  std::span<const CodeTest> tests_;
  std::vector<std::size_t> place_;  // of each column in the order
  Feature column_ = 0;
  // A node or leaf is claimed when its entry is the present tree's number.
  std::vector<std::uint64_t> claimed_;
  std::uint64_t tree_ = 0;
};

// Whether a file may have siblings of the flow, members with its questions and other biases: only if it has a
// conditional base and no trees, so that a sibling takes little more memory than its biases.
bool MayHaveSiblings(const AutoregressiveFlow& flow);

// The memory, in bytes, that a sibling takes besides its biases (columns of one category have none, but take memory).
double SiblingCost(std::size_t columns);

// Checks the biases of a flow's siblings.
class BiasChecker {
 public:
  // Throws unless MayHaveSiblings(flow).
  explicit BiasChecker(const AutoregressiveFlow& flow);

  // Checks that there is a bias for each question of each column, and that no logit can exceed kMostLogit.
  void Check(const std::vector<std::vector<Logit>>& biases) const;

 private:
  std::vector<std::vector<std::int64_t>> most_;  // by column, of each question: the largest bias
};

void CheckConditionalBase(const ConditionalBase& base, std::size_t columns);

}  // namespace dtf
