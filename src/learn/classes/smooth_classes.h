// Many latent classes of few rows: classes are points of a space of few dimensions, spread evenly in it, and the shares
// of categories are a smooth function of the point, which is learnt (continuous mixtures: Correia, Gala, Quaeghebeur,
// de Campos & Peharz, AAAI 2023).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dtf/table.h"
#include "learn/classes/latent_class.h"
#include "learn/weighted_rows.h"

namespace dtf {

struct SmoothClassOptions {
  std::size_t classes = 128;  // a multiple of kFloatLanes
  double passes = 80;         // over the rows
  double decay = 1;           // of the function's weights, as a multiple of the rate: the more, the smoother it is
  std::uint64_t number = 0;   // of several models of the same rows: they begin differently
};

// Equally likely classes. A cell without a category is taken for the column's most frequent one. sizes: positive; with
// all categories of all columns the classes have fewer than 2^32 shares.
std::vector<LatentClass> FitSmoothClasses(const WeightedRows& rows, std::span<const Code> sizes,
                                          const SmoothClassOptions& options, std::uint64_t seed);

double WorkOfSmoothClasses(const WeightedRows& rows, std::span<const Code> sizes, const SmoothClassOptions& options);

}  // namespace dtf
