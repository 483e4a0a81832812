// Latent classes, points of a space as those of smooth_classes.h, within which columns lean on each other: each
// question has terms for the columns before, the same ones in all classes, and a bias that is a smooth function of the
// point. (A logistic regression of each column with a random effect of the row, all columns at once.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "flow/conditioner.h"
#include "learn/classes/class_fit.h"
#include "learn/weighted_rows.h"

namespace dtf {

struct TermClassOptions {
  std::size_t classes = 64;  // a multiple of kFloatLanes
  double passes = 20;        // over the rows
  double decay = 0;          // of the function's weights, as a multiple of the rate: the more, the smoother it is
  double penalty = 3;        // nats of likelihood of all rows that a nat of a term costs
  std::uint64_t number = 0;  // of several models of the same rows: they begin differently
  std::vector<Feature> order = {};  // of all columns: each one leans on those before it
};

// Equally likely classes. questions: of each column, nothing learnt yet. A cell without a category answers none.
// Columns have fewer than 2^16 categories.
ClassFit FitTermClasses(const WeightedRows& rows, std::span<const Code> sizes,
                        std::span<const std::vector<Question>> questions, const TermClassOptions& options,
                        std::uint64_t seed);

double WorkOfTermClasses(const WeightedRows& rows, std::span<const std::vector<Question>> questions,
                         const TermClassOptions& options);

}  // namespace dtf
