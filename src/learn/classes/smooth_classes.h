// Many latent classes from few rows: classes are points spread evenly in a space of few dimensions, and the shares of
// categories are a smooth function of the point, which is learnt (continuous mixtures: Correia, Gala, Quaeghebeur,
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
  double decay = 1;           // weight decay, as a multiple of the rate: the more, the smoother the function is
  std::uint64_t number = 0;   // models of the same rows with different numbers begin differently
};

// Classes of equal weight. A cell without a category is taken for the column's most frequent one. sizes: positive.
// REQUIRES: classes · categories of all columns together are fewer than 2^32.
std::vector<LatentClass> FitSmoothClasses(const WeightedRows& rows, std::span<const Code> sizes,
                                          const SmoothClassOptions& options, std::uint64_t seed);

// In the unit of MemberFit::work.
double WorkOfSmoothClasses(const WeightedRows& rows, std::span<const Code> sizes, const SmoothClassOptions& options);

}  // namespace dtf
