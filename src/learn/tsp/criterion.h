// By which split a node of a TSP is split. Each criterion is one small file; MakeCriterion names them all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "count/counting_table.h"
#include "perm/domain.h"

namespace dtf {

// A node that may be split.
struct NodeTask {
  std::uint64_t layer;  // 0-based
  std::uint64_t node;   // its number in the tree, breadth first
  const Domain& domain;
  const NodeCounts& counts;
  const NodeCounter& counter;
  std::span<const Feature> features;  // the features it may be split on, ascending; each has two or more codes present
};

class Criterion {
 public:
  virtual ~Criterion() = default;

  // Called before a layer's first node, with the counts of all rows.
  virtual void StartLayer(const CodeLayout& layout, const NodeCounts& all) = 0;

  // The split of this node, or none. REQUIRES: task.features is not empty.
  virtual std::optional<SetSplit> BestSplit(const NodeTask& task) = 0;

  // Whether it counts all features for every candidate, so that a table of a node's pairs (PairTable) pays.
  virtual bool CountsPairs() const { return false; }

  // Called when a node has been split on `feature`, with the counts of the node and of its children.
  virtual void Split(Feature /*feature*/, const NodeCounts& /*node*/, const NodeCounts& /*left*/,
                     const NodeCounts& /*right*/) {}
};

enum class CriterionKind : std::uint8_t { kRandom, kGlp, kGlpCode, kGlpAligned };

// `seed`: for criteria that draw. `threads`: those a single search may use. `split_values`: how many codes of the split
// feature go left, at most; the paper's splits send one.
std::unique_ptr<Criterion> MakeCriterion(CriterionKind kind, std::uint64_t seed, int threads,
                                         std::uint64_t split_values = 1);

std::unique_ptr<Criterion> MakeRandomCriterion(std::uint64_t seed, std::uint64_t split_values = 1);
std::unique_ptr<Criterion> MakeGlpCriterion(int threads, std::uint64_t split_values = 1);
std::unique_ptr<Criterion> MakeGlpCodeCriterion(int threads, std::uint64_t split_values = 1);
std::unique_ptr<Criterion> MakeGlpAlignedCriterion(int threads, std::uint64_t split_values = 1);

}  // namespace dtf
