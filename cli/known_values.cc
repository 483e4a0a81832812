#include "known_values.h"

#include <algorithm>

#include "output.h"

namespace dtf::cli {

KnownValues::KnownValues(const Model& model, const TableReader& reader)
    : model_(model), reader_(reader), counts_(model.schema().columns.size()) {}

void KnownValues::Take(const Batch& batch) {
  const bool refuses_unknown = model_.schema().closed;
  if (refuses_unknown || std::ranges::all_of(counts_, [](const ValueCounts& counts) { return counts.known > 0; }))
    return;
  const std::vector<ValueCounts> counts = model_.CountValues(reader_.columns(), batch);
  for (std::size_t j = 0; j < counts.size(); ++j) {
    counts_[j].known += counts[j].known;
    counts_[j].unknown += counts[j].unknown;
  }
}

void KnownValues::Warn() const {
  for (const std::string& line : DescribeUnknownColumns(model_.schema(), counts_, reader_.source())) {
    PrintMessage("warning: " + line);
  }
}

}  // namespace dtf::cli
