// The rows a model is learnt from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "perm/domain.h"
#include "table/code_table.h"

namespace dtf {

// Rows with weights, each a whole number of `unit` rows (a power of two); no weights: each row is one.
struct WeightedRows {
  CodeTable codes;
  std::vector<std::uint64_t> weights;
  double unit = 1;
  // Units that are held out together or not at all: a copy. 0: those of a row of weight 1. With fractional weights a
  // copy has the weight of the heaviest row, so that no row is split between learning and validation.
  std::uint64_t copy_units = 0;

  std::uint64_t WeightOf(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }  // in units
  double RowWeight(std::size_t row) const { return unit * static_cast<double>(WeightOf(row)); }
  double TotalRows() const;
  double CopyRows() const;  // weight of a copy, in rows

  // Units of each category of a column with `size` of them; those without one (the unseen slot) are not counted.
  std::vector<std::uint64_t> CountCategories(Feature column, Code size) const;
  std::vector<double> CategoryWeights(Feature column, Code size) const;  // the same in rows

  // These rows with these weights (in the same unit), rows of weight 0 left out.
  WeightedRows Reweighted(std::span<const std::uint64_t> new_weights) const;

  // At most `most` of these rows, evenly spread. REQUIRES: most > 0.
  WeightedRows EvenSample(std::size_t most) const;
};

// Weights that are not whole are kept in steps of this; smaller ones than half of it would be lost.
inline constexpr double kWeightStep = 0x1p-16;
inline constexpr double kLeastWeight = kWeightStep / 2;
inline constexpr double kMostWeightSum = 0x1p36;

// Each weight as MakeWeightedRows keeps it. Their sums are exact, and so the same in any order of the rows.
std::vector<double> RoundToSteps(std::span<const double> weights);

// Rows with the given weights: whole weights exactly, others in steps. Rows of weight 0 are left out. The unit is 1 if
// all weights are whole, else the greatest that fits them.
// REQUIRES: each weight is 0 or from kLeastWeight up; they sum to more than 0 and to kMostWeightSum at most.
WeightedRows MakeWeightedRows(CodeTable codes, std::span<const double> weights);

// Weights of 32 bits; none: each row is one unit.
struct CoarseWeights {
  std::vector<std::uint32_t> weights;
  double unit = 1;  // rows that one unit stands for
};

// The weights, in the finest unit (a power of two times the rows' own) in which they sum to `most` or less. What
// rounding takes from a row goes to the next one, in an order by content: so light rows count together, though some get
// weight 0, and what equal rows weigh together depends neither on the order of the rows nor on whether they are merged.
// Each row gets at least `least`, so that the sum may exceed `most`. REQUIRES: `most`, and `least` for each row, sum to
// less than 2^32.
CoarseWeights Coarsen(const WeightedRows& rows, std::uint64_t most, std::uint32_t least);

// Takes a share of the rows away to be held out: each row, and each copy of it, is chosen by a hash of its codes and of
// its number among the equal rows. So neither the order of the rows nor whether equal rows are merged into one with a
// weight matters. Returns the rows to train on and those held out; either may be empty.
std::pair<WeightedRows, WeightedRows> HoldOut(const WeightedRows& rows, double fraction);

// The same with fold `fold` of `folds` held out: each copy of a row is in one of them.
std::pair<WeightedRows, WeightedRows> HoldOutFold(const WeightedRows& rows, int fold, int folds);

// Rows in two halves, one after the other. Copies go to the halves by turns, so a row that has several is in both.
struct HalvedRows {
  WeightedRows rows;
  std::size_t first_half = 0;  // rows of the first one
};
HalvedRows Halve(const WeightedRows& rows);

}  // namespace dtf
