// Tables of latent codes: one column per latent column of the model, by name; whole numbers from 0.
#pragma once

#include <functional>
#include <vector>

#include "dtf/io.h"
#include "dtf/model.h"

namespace dtf::cli {

// The model's latent columns, with the type of codes.
std::vector<ColumnHeader> LatentHeaders(const Model& model);

Batch ToBatch(const Model& model, std::vector<std::vector<Code>> latent);

// For each latent column of the model the codes of some rows.
using Latent = std::vector<std::vector<Code>>;

// Calls `take` with one batch of codes after the other; once, with no rows, for a table without any. Throws
// Error(kInput) when a column is missing or not the model's, or a cell is no code of its column.
void ForEachLatent(const Model& model, TableReader& reader, const std::function<void(Latent)>& take);

}  // namespace dtf::cli
