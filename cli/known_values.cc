#include "known_values.h"

#include <algorithm>

#include "output.h"

namespace dtf::cli {

KnownValues::KnownValues(const Model& model, const TableReader& reader)
    : model_(model), reader_(reader), is_known_(model.schema().columns.size(), model.schema().closed) {}

void KnownValues::Take(const Batch& batch) {
  rows_ += batch.rows;
  if (std::ranges::find(is_known_, false) == is_known_.end()) return;
  const std::vector<bool> found = model_.HasKnownValues(reader_.columns(), batch);
  for (std::size_t j = 0; j < found.size(); ++j) is_known_[j] = is_known_[j] || found[j];
}

void KnownValues::Warn() const {
  constexpr std::size_t kFewRows = 10;
  if (rows_ < kFewRows) return;
  for (std::size_t j = 0; j < is_known_.size(); ++j) {
    if (is_known_[j]) continue;
    const ColumnSchema& column = model_.schema().columns[j];
    PrintMessage("warning: " + reader_.source() + ", column `" + column.name +
                 "`: no row has a value that the model knows" +
                 (column.categories.empty() ? "" : ", as `" + column.categories.front() + "` is one") +
                 ": are all missing, new, or spelt otherwise?");
  }
}

}  // namespace dtf::cli
