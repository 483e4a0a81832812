// Tables of latent codes: one column per column of the model, by name; whole numbers from 0.
#pragma once

#include <vector>

#include "dtf/io.h"
#include "dtf/model.h"

namespace dtf::cli {

// The model's columns, with the type of codes.
std::vector<ColumnHeader> LatentHeaders(const Model& model);

Batch ToBatch(const Model& model, std::vector<std::vector<Code>> latent);

// All codes of `reader`, in the model's order of columns. Throws Error(kInput) when a column is missing or not the
// model's, or a cell is no code of its column.
std::vector<std::vector<Code>> ReadLatent(const Model& model, TableReader& reader);

}  // namespace dtf::cli
