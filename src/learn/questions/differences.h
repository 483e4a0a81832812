// Columns of many categories whose codes rise or fall together, as the day of return does with the day of lending: what
// predicts one from the other is how far their codes are apart. Most are numbers or dates, but any column counts: codes
// are in the order of values, those of other texts in the order of bytes. With hundreds of categories each one has too
// few rows to learn this from; all of them together have enough.
//
// With a row's codes a of the one column and b of the other,
//   P(b | a) ∝ w_b h(b − a), or h(b + a) where one falls as the other rises.
// h is a mixture of a uniform distribution and the table's histogram of differences, smoothed by normal kernels of
// several widths. Its proportions maximise the likelihood of the rows, each predicted by all others (deleted
// interpolation: Jelinek & Mercer 1980). w is 1, or, where that gains more (round numbers occur more often), such that
// each category is as frequent as in the table (the diagonals-parameter model of Goodman, Proc. Sixth Berkeley Symp.
// Math. Statist. Prob. 1, 1972).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "flow/conditioner.h"
#include "learn/column_kinds.h"
#include "learn/questions/question_tree.h"
#include "learn/weighted_rows.h"

namespace dtf {

// A column's difference from another one, `from`.
struct Difference {
  Feature from = 0;
  Code from_values = 0;      // number of categories of `from` that are not "missing": the first ones
  Code values = 0;           // likewise of the column
  bool is_sum = false;       // h(b + a)
  bool is_weighted = false;  // w is not 1
  double gain = 0;           // in ln P of the column over its frequencies alone, nats per row, each by all others
};

// For each column the differences that gain enough, the best first, between columns of many categories. Time: rows for
// each pair of such columns (a sample of the rows where the pairs are many), and values² for a few pairs of each
// column. rows: sorted, so that sums do not depend on their order.
std::vector<std::vector<Difference>> FindDifferences(const WeightedRows& rows, const ColumnKinds& columns, int threads);

// What is added to the biases of a column's questions for each code of `from`, [question][code]; empty lists when there
// are too few rows. A missing value of the column keeps its overall frequency.
std::vector<std::vector<Logit>> LearnDifference(const WeightedRows& rows, Feature column, const Difference& difference,
                                                std::span<const Question> questions);

}  // namespace dtf
