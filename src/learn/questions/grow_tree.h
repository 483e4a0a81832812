// A tree for a yes/no question, grown greedily from sums over bit planes.
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

// Two whole numbers of each row, summed over the rows of a node; a SplitRule says what they are.
struct NodeSums {
  std::int32_t first = 0;
  std::int32_t second = 0;
};

// The gain of a split.
class SplitRule {
 public:
  virtual ~SplitRule() = default;

  // Whether a node with these sums can be worth splitting at all.
  virtual bool MaySplit(NodeSums node) const = 0;

  // gains[t] = the gain of splitting `node` by test t, where first[t] and second[t] are the sums of the rows that pass
  // it. A split whose gain is 0 or less is not made.
  virtual void FindGains(NodeSums node, std::span<const std::int32_t> first, std::span<const std::int32_t> second,
                         std::span<float> gains) const = 0;

  // The largest gain above 0, the first one of equals. Rules with a faster way override it.
  virtual SplitChoice FindBest(NodeSums node, std::span<const std::int32_t> first,
                               std::span<const std::int32_t> second) const;
};

struct GrowthLimits {
  int depth = 6;
  int leaves = std::numeric_limits<int>::max();  // if limited, the split of the largest gain is made first
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

  // Grows a tree over the rows of the mask `rows`, by splits on those of `tests` that are `chosen`. summed: the planes
  // of the two numbers of each row. Node 0 is the root.
  // Cost: for each split node, planes · tests · words of AND + popcount on the smaller child.
  std::vector<QuestionNode> Grow(PlaneMatrix tests, std::span<const std::uint32_t> chosen, const SummedPlanes& summed,
                                 std::span<const std::uint64_t> rows, const SplitRule& rule, GrowthLimits limits);

 private:
  struct Panel;
  struct OpenNode;
  class Growth;

  // Memory that later nodes and trees use again. The first panel is the root's, larger than all others.
  std::vector<std::unique_ptr<Panel>> panels_;
  std::vector<Panel*> unused_panels_;
  std::vector<std::unique_ptr<OpenNode>> unused_nodes_;
  AlignedBuffer<std::uint64_t> planes_;
  AlignedBuffer<Count> counts_;
};

}  // namespace dtf
