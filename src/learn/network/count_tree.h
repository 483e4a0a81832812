// A Bayesian network whose columns have one parent at most (Chow & Liu, IEEE Trans. Inf. Theory 1968), each learnt by
// counting: for columns of many categories, where few of the pairs of them occur.
//
// With n_ab rows of the parent's category a and the column's category b, and q the column's shares of the whole table,
//   P(b | a) = (n_ab + s q_b) / (n_a + s).
// A row at a time left out says how much the prior, of s rows, is to count, and which parent is best.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "flow/conditioner.h"
#include "learn/network/find_network.h"
#include "learn/network/network.h"
#include "learn/weighted_rows.h"

namespace dtf {

// Begins with the column that tells most of the others, and then always adds the arrow that tells most; none that tells
// nothing, or for which a model would become too large. The same rows, in any order: the same network on any number of
// threads. sizes: categories of each column.
FoundNetwork FindCountTree(const WeightedRows& rows, std::span<const Code> sizes, int threads);

// What finding it takes, as FoundNetwork has it.
double CountTreeWork(std::size_t rows, std::size_t columns);

struct CountTables {
  std::vector<CodeTest> tests;
  std::vector<Conditioner> conditioners;  // of each column
};

// Each column's distribution given its parent, as answers to its questions, which have learnt nothing yet. REQUIRES: at
// most one parent a column.
CountTables LearnCounts(const WeightedRows& rows, std::span<const Code> sizes,
                        std::span<const std::vector<Question>> questions, const Network& network);

}  // namespace dtf
