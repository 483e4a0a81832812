// Many latent classes of few rows: classes are points of a space of few dimensions, spread evenly in it, and the logits
// of their questions are a smooth function of the point, which is learnt (continuous mixtures: Correia, Gala,
// Quaeghebeur, de Campos & Peharz, AAAI 2023). Columns may lean on each other besides: then each question has terms,
// too, the same ones in all classes (a logistic regression with a random effect of the row).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "flow/conditioner.h"
#include "learn/classes/class_fit.h"
#include "learn/weighted_rows.h"

namespace dtf {

struct SmoothClassOptions {
  std::size_t classes = 128;  // a multiple of kFloatLanes
  double passes = 80;         // over the rows
  double decay = 1;           // of the function's weights, as a multiple of the rate: the more, the smoother it is
  std::uint64_t number = 0;   // of several models of the same rows: they begin differently
  // Each column leans on those before it: has terms for their tests. None: on nothing.
  std::vector<Feature> order = {};
};

// Equally likely classes. questions: of each column, nothing learnt yet. A cell without a category answers none.
// Columns have fewer than 2^16 categories.
ClassFit FitSmoothClasses(const WeightedRows& rows, std::span<const Code> sizes,
                          std::span<const std::vector<Question>> questions, const SmoothClassOptions& options,
                          std::uint64_t seed);

double WorkOfSmoothClasses(const WeightedRows& rows, std::span<const std::vector<Question>> questions,
                           const SmoothClassOptions& options);

}  // namespace dtf
