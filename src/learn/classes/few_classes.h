// A handful of latent classes, each with a weight and shares of its own, by expectation maximisation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dtf/table.h"
#include "learn/classes/latent_class.h"
#include "learn/weighted_rows.h"

namespace dtf {

struct FewClassOptions {
  std::size_t classes = 2;
  double prior_rows = 1;  // so many rows of the whole table's frequencies are added to each class; positive
  int steps = 20;
};

// The classes after options.steps steps towards the most probable model. At first most of each row's weight is put into
// a class drawn by `seed` and the row's number. Cells without a category are ignored. sizes: positive.
std::vector<LatentClass> FitFewClasses(const WeightedRows& rows, std::span<const Code> sizes,
                                       const FewClassOptions& options, std::uint64_t seed);

// In the unit of MemberFit::work.
double WorkOfFewClasses(const WeightedRows& rows, const FewClassOptions& options);

}  // namespace dtf
