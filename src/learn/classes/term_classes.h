// Latent classes, points of a space as those of smooth_classes.h, within which columns depend on each other: each
// question has terms for the columns before, the same in all classes, and a bias that is a smooth function of the
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
  std::size_t classes = 64;         // a multiple of kFloatLanes
  double passes = 20;               // over the rows
  double decay = 0;                 // weight decay, as a multiple of the rate: the more, the smoother the function is
  double penalty = 3;               // per nat of a term's absolute value, in nats of all rows' ln likelihood
  std::uint64_t number = 0;         // models of the same rows with different numbers begin differently
  std::vector<Feature> order = {};  // of all columns: each one depends on those before it
};

// Classes of equal weight. questions: by column, nothing learnt yet. A cell without a category answers no question.
// REQUIRES: columns have fewer than 2^16 categories.
ClassFit FitTermClasses(const WeightedRows& rows, std::span<const Code> sizes,
                        std::span<const std::vector<Question>> questions, const TermClassOptions& options,
                        std::uint64_t seed);

// In the unit of MemberFit::work.
double WorkOfTermClasses(const WeightedRows& rows, std::span<const std::vector<Question>> questions,
                         const TermClassOptions& options);

}  // namespace dtf
