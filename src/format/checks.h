// Checks of the content of a model file. The reader makes them before it builds on the content, the writer before it
// writes, so that whatever was saved can be loaded. Each throws Error(kModelFile) with a reason that names no file.
// Single TSPs are checked by Tsp::Make, autoregressive flows by check_autoregressive.h.
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

// The weights of a mixture's members: positive, summing to 1 within 1e-9.
void CheckWeights(std::span<const double> weights);

// A base's counts sum to less than this, so that they are exact as doubles.
inline constexpr std::uint64_t kMaxUnits = std::uint64_t{1} << 53;
void CheckSmoothing(std::uint64_t units, double unit, double alpha);

// The arguments of an IndependentBase. REQUIRES: one list of counts per column.
void CheckBase(const Ragged<std::uint64_t>& counts, double unit, double alpha);

// The memory, in bytes, that compiling a tree takes. It can grow with the square of the tree's size (tables of leaves ×
// categories of the columns permuted on the way), so a hostile file could ask for any amount. `nodes` may be anything;
// the result does not matter for nodes that Tsp::Make refuses.
double LoadingCost(const TspNodes& nodes, const std::vector<Code>& sizes);

// The most that all layers may cost together: more than learnt models take (up to 512 bytes for each column that a leaf
// moves, which takes a few bytes in the file), yet bounded by a multiple of the file's size.
inline double MaxLoadingCost(std::size_t payload_size) {
  return 64.0 * 1024 * 1024 + 256 * static_cast<double>(payload_size);
}

}  // namespace dtf
