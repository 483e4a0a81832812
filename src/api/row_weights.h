// How often each row of a table counts. Shared by Fit, Crossval and Model.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dtf/fit.h"

namespace dtf {

// The position of the column of that name among `headers`, if there is one.
std::optional<std::size_t> FindColumn(const std::vector<ColumnHeader>& headers, const std::string& name);

// The weight of each row, from column number `position`. Throws Error(kInput) for a weight that is negative or no
// number up to 1e100; and for one so small that a fit would lose it, if this is for a fit.
enum class WeightUse { kFit, kMean };
std::vector<double> ReadWeightColumn(const std::vector<ColumnHeader>& headers, const Batch& rows, std::size_t position,
                                     WeightUse use);

// The weight of each row of `inputs.train`, in the steps in which a fit keeps weights; empty when each counts once.
// Throws the same; and when they sum to 0 or to more than 2^36. Adds a warning when the steps change a weight by more
// than 1 %, of the one changed the most; and one when the weights sum to less than half of the rows that have some
// (normalised ones, by which a model would learn as if it had seen a handful of rows) or to ten times as much.
std::vector<double> ReadWeights(const FitInputs& inputs, const FitOptions& options, std::vector<std::string>& warnings);

// The same from the table's column of that name; empty without a name. Throws the same, and Error(kUsage) when there is
// no such column.
std::vector<double> ReadWeights(const NamedTable& table, const std::optional<std::string>& name,
                                std::vector<std::string>& warnings);

}  // namespace dtf
