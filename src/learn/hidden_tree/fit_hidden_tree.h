// Learns a tree of hidden states (flow/hidden_tree.h) along a tree of columns, by expectation maximisation in steps
// (Cappé & Moulines, J. R. Stat. Soc. B 2009; Liang & Klein, NAACL 2009): each batch of rows moves what is expected of
// the whole table, by less and less.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "flow/hidden_tree.h"
#include "learn/hidden_tree/column_tree.h"
#include "learn/weighted_rows.h"

namespace dtf {

struct HiddenTreeOptions {
  std::size_t states = 32;   // of each column, 1 to kMostStates
  double passes = 20;        // over the rows; made whole
  double prior_rows = 0.3;   // of the whole table's shares, more in each state; positive
  std::uint64_t number = 0;  // of several models of the same rows: they begin differently
};

// Cells without a category tell nothing. The same rows, in the same order, seed and options: the same bits on any
// machine. sizes: positive. REQUIRES: at least one column, one row, and some weight in each batch of rows.
HiddenTree FitHiddenTree(const ColumnTree& tree, const WeightedRows& rows, std::span<const Code> sizes,
                         const HiddenTreeOptions& options, std::uint64_t seed);

// About nanoseconds; estimated from one batch of rows.
double WorkOfHiddenTree(const ColumnTree& tree, const WeightedRows& rows, std::span<const Code> sizes,
                        const HiddenTreeOptions& options);

}  // namespace dtf
