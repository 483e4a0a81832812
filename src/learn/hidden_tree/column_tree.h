// Which columns' hidden states are neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/network/network.h"
#include "learn/weighted_rows.h"

namespace dtf {

// Columns by their position: the root first, and after each column all that descend from it.
struct ColumnTree {
  std::vector<Feature> order;
  std::vector<std::uint32_t> parent;                 // its position; of the root 0
  std::vector<std::vector<std::uint32_t>> children;  // their positions, ascending

  std::size_t size() const { return order.size(); }
};

// REQUIRES: at least one column, and at most one parent each. Of the columns without one, that with most descendants
// becomes the root, and the parent of the others.
ColumnTree MakeColumnTree(const Network& network);

// The tree that tells most, in a sample of the rows. sizes: categories of each column.
ColumnTree FindColumnTree(const WeightedRows& rows, std::span<const Code> sizes);

// About nanoseconds.
double WorkOfColumnTree(std::size_t rows, std::size_t columns);

}  // namespace dtf
