// ConstructTree (paper, appendix on pseudo-code): the structure of one tree, all permutations the identity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "count/counting_table.h"
#include "learn/tsp/criterion.h"
#include "perm/domain.h"
#include "tree/tsp.h"

namespace dtf {

struct GrowOptions {
  int max_depth = 6;                    // splits on a path, at most kMaxTreeDepth
  double min_split_rows = 20;           // a node is split iff its weight in rows is above this
  std::uint64_t features_per_node = 0;  // features tried at a node, drawn at random; 0: all
  std::uint64_t seed = 0;
  int threads = 1;

  // Tables of pairs (count/pair_table.h) change the time a fit takes, never its result. Nodes of fewer rows have none:
  // counting them anew costs as little.
  std::size_t pair_table_rows = 4096;
  // Of all open nodes together. Nodes for which no room is left have none.
  std::size_t pair_table_bytes = std::size_t{256} << 20;
};

struct GrownNode {
  std::int32_t left = kNoChild;
  std::int32_t right = kNoChild;
  std::int32_t depth = 0;
  SetSplit split;             // in raw codes; of a leaf: unspecified
  Domain domain;              // in raw codes
  std::size_t first_row = 0;  // the node's rows: [first_row, last_row) of GrownTree::rows
  std::size_t last_row = 0;

  bool is_leaf() const { return left == kNoChild; }
};

// Nodes in breadth-first order.
struct GrownTree {
  std::vector<GrownNode> nodes;
  std::vector<std::uint32_t> rows;      // all rows, each node's together
  std::vector<NodeCounts> leaf_counts;  // by node; of inner nodes: empty
};

// Grows the tree of layer `layer` (0-based) on all rows of `codes`, which `table` counts. `rows_per_count`: what one
// unit of its counts is worth in rows. Keeps a reference to `sizes` in the domains.
GrownTree GrowTree(const CodeTable& codes, const CountingTable& table, double rows_per_count,
                   const std::vector<Code>& sizes, const GrowOptions& options, std::uint64_t layer,
                   Criterion& criterion);

}  // namespace dtf
