// One tree for a yes/no question: grown greedily, test by test, from sums over bit planes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "count/aligned_buffer.h"
#include "count/planes.h"
#include "count/split_kernels.h"
#include "tree/logit_tree.h"

namespace dtf {

// Two whole numbers, summed over the rows of a node.
struct NodeSums {
  std::int32_t first = 0;
  std::int32_t second = 0;
};

// What a split is worth.
class SplitRule {
 public:
  virtual ~SplitRule() = default;

  // Whether a node with these sums can be worth splitting at all.
  virtual bool MaySplit(NodeSums node) const = 0;

  // gains[t] = what splitting `node` by test t is worth, first[t] and second[t] being the sums of the rows that pass;
  // 0 or less: nothing.
  virtual void FindGains(NodeSums node, std::span<const std::int32_t> first, std::span<const std::int32_t> second,
                         std::span<float> gains) const = 0;

  // The first of the largest gains above 0. A rule that has a faster way overrides it.
  virtual SplitChoice FindBest(NodeSums node, std::span<const std::int32_t> first,
                               std::span<const std::int32_t> second) const;
};

struct GrowthLimits {
  int depth = 6;
  int leaves = std::numeric_limits<int>::max();  // a finite limit: the best gains are taken first
};

struct QuestionNode {
  std::uint32_t test = 0;
  std::int32_t pass = -1;  // a later node; -1 at a leaf
  std::int32_t fail = -1;
  NodeSums sums;
};

// The tree's shape with all leaves 0.
LogitTree ShapeOf(std::span<const QuestionNode> nodes);

class TreeGrower {
 public:
  TreeGrower();
  ~TreeGrower();

  // Grows over the rows of `rows` (a mask), testing only `chosen` of `tests`. Node 0 is the root.
  // Cost: for each split node, planes · tests · words of AND + popcount on the smaller child.
  std::vector<QuestionNode> Grow(PlaneMatrix tests, std::span<const std::uint32_t> chosen, const SummedPlanes& summed,
                                 std::span<const std::uint64_t> rows, const SplitRule& rule, GrowthLimits limits);

 private:
  struct Panel;
  struct OpenNode;
  class Growth;

  // Memory is kept to be used again, here and in the next trees. The first panel is the root's, larger than all others.
  std::vector<std::unique_ptr<Panel>> panels_;
  std::vector<Panel*> unused_panels_;
  std::vector<std::unique_ptr<OpenNode>> unused_nodes_;
  AlignedBuffer<std::uint64_t> planes_;
  AlignedBuffer<Count> counts_;
};

}  // namespace dtf
