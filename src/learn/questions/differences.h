// Columns of numbers that follow each other, as a day of return follows the day of lending: what tells one from the
// other is how far their codes, which follow values, are apart. Of hundreds of categories each has too few rows to
// learn that from; all of them together have enough.
//
// With a row's codes a of the one column and b of the other,
//   P(b | a) ∝ w_b h(b − a), or h(b + a) where one falls as the other rises.
// h is a mixture of the table's differences, smoothed by normal kernels of several widths, in the proportions by which
// rows are most likely each by all others (deleted interpolation: Jelinek & Mercer 1980). w is 1, or, where that tells
// more (round numbers that are given more often), such that each category is as frequent as it is (the diagonals-
// parameter model of Goodman, Proc. Sixth Berkeley Symp. Math. Statist. Prob. 1, 1972).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "flow/conditioner.h"
#include "learn/column_kinds.h"
#include "learn/questions/question_tree.h"
#include "learn/weighted_rows.h"

namespace dtf {

// What a column can be told from.
struct Difference {
  Feature from = 0;
  Code from_values = 0;  // categories there that are values: the first ones
  Code values = 0;       // likewise of the column
  bool is_sum = false;
  bool is_weighted = false;
  double gain = 0;  // nats per row, each by all others, over what is known without `from`
};

// Of each column those that gain much, most first; none but among columns of many categories. Time: rows for each pair
// of such columns, some of them where they are many, and values² for some of each column. rows: sorted,
// so that sums are the same.
std::vector<std::vector<Difference>> FindDifferences(const WeightedRows& rows, const ColumnKinds& columns, int threads);

// What is added to the biases of a column's questions for each value of `from`: [question][code]; nothing of too few
// rows. Missing values are as frequent as without `from`.
std::vector<std::vector<Logit>> LearnDifference(const WeightedRows& rows, Feature column, const Difference& difference,
                                                std::span<const Question> questions);

}  // namespace dtf
