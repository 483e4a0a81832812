// A latent class model (Lazarsfeld & Henry, Latent Structure Analysis, 1968): the columns are independent within each
// of a few classes, and a row's class is not known. As a flow: a mixture with a member for each class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "flow/conditioner.h"
#include "learn/forest/fit_member.h"
#include "learn/weighted_rows.h"

namespace dtf {

struct LatentClass {
  double weight = 0;                        // positive; those of all classes sum to 1
  std::vector<std::vector<double>> shares;  // by column: of each category, positive, summing to 1
};

struct ClassOptions {
  std::size_t classes = 2;
  double prior_rows = 1;  // of the table's own frequencies, added to each class; positive
  int steps = 20;
};

// Expectation maximisation for the most probable model, from rows put mostly into a class at random (by `seed` and the
// row's number). Cells without a category tell nothing. The same bits on any machine. Time: rows · columns · classes ·
// steps.
std::vector<LatentClass> FitClasses(const WeightedRows& rows, std::span<const Code> sizes, const ClassOptions& options,
                                    std::uint64_t seed);

// ln P of the rows' categories in each class, the class's weight included: of row i and class c at [i · classes + c].
std::vector<double> JointLogProbs(std::span<const LatentClass> classes, const CodeTable& codes);

// The conditioners of a class, by column: no column asks about another.
std::vector<Conditioner> ConditionersOf(const LatentClass& one, const ColumnQuestions& columns);

}  // namespace dtf
