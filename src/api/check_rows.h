// Whether rows that a caller of the public interface gives have the shape that it asks for.
#pragma once

#include <span>
#include <vector>

#include "dtf/model.h"

namespace dtf {

// The next three throw Error(kInput). A batch has a column for each header, with a cell for each row that is missing or
// in its dictionary.
void CheckBatch(const std::vector<ColumnHeader>& headers, const Batch& batch);
void CheckTable(const NamedTable& table);
// One for each row.
void CheckWeightCount(const Batch& batch, std::span<const double> weights);

// A list for each of `columns`, all of one length, of codes below the column's size. Throws Error(kInput).
void CheckLatent(const std::vector<LatentColumn>& columns, const std::vector<std::vector<Code>>& latent);

}  // namespace dtf
