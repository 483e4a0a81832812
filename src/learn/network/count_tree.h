// A Bayesian network whose columns have at most one parent (Chow & Liu, IEEE Trans. Inf. Theory 1968), learnt by
// counting: for columns of many categories, of whose pairs few occur.
//
// With n_ab rows of the parent's category a and the column's category b, and q the column's shares in the whole table,
//   P(b | a) = (n_ab + s q_b) / (n_a + s).
// The number s of prior rows and the parent are chosen by the likelihood of the rows, each predicted by all others.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "flow/conditioner.h"
#include "learn/network/find_network.h"
#include "learn/network/network.h"
#include "learn/weighted_rows.h"

namespace dtf {

// Begins with the column that predicts the others best, and then always adds the arrow of the largest gain to a column
// that is not in yet. There is no arrow without a gain, or for which the model would become too large. The same network
// on any number of threads and in any order of the rows. sizes: categories of each column.
FoundNetwork FindCountTree(const WeightedRows& rows, std::span<const Code> sizes, int threads);

// The work of FindCountTree, in the unit of FoundNetwork::work.
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
