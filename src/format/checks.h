// What holds of the content of every model file. The reader checks it before anything is built on it, the writer before
// anything is written, so that what was saved loads. Each throws Error(kModelFile) with a reason that names no file.
// What concerns a single TSP is checked by Tsp::Make, what concerns an autoregressive flow by check_autoregressive.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ragged.h"
#include "dtf/model.h"
#include "dtf/schema.h"
#include "tree/tsp.h"

namespace dtf {

void CheckSchema(const Schema& schema);
void CheckRecord(const FitRecord& record);

// Of a mixture: one for each member, positive, summing to 1 within 1e-9.
void CheckWeights(std::span<const double> weights);

// Of every base with counts: they are below this in sum; exact as doubles.
inline constexpr std::uint64_t kMaxUnits = std::uint64_t{1} << 53;
void CheckSmoothing(std::uint64_t units, double unit, double alpha);

// The arguments of an IndependentBase. REQUIRES: one list of counts per column.
void CheckBase(const Ragged<std::uint64_t>& counts, double unit, double alpha);

// The memory, in bytes, that compiling a tree takes. It can grow with the square of the tree's size (tables of leaves ×
// categories of the columns permuted on the way), so a hostile file could ask for any amount. `nodes` may be anything;
// what it says of nodes that Tsp::Make refuses does not matter.
double LoadingCost(const TspNodes& nodes, const std::vector<Code>& sizes);

// The most that all layers may cost together: more than models that are learnt do (of a column that a leaf moves up to
// 512 bytes, where the file has a few), yet a multiple of the file's size.
inline double MaxLoadingCost(std::size_t payload_size) {
  return 64.0 * 1024 * 1024 + 256 * static_cast<double>(payload_size);
}

}  // namespace dtf
