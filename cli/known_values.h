// Warns of tables whose values are spelt otherwise than those that the model was fitted to.
#pragma once

#include <vector>

#include "dtf/io.h"
#include "dtf/model.h"

namespace dtf::cli {

// Keeps references to both, of which the reader gives the batches.
class KnownValues {
 public:
  KnownValues(const Model& model, const TableReader& reader);

  void Take(const Batch& batch);

  // Prints a warning for each column in which no row had a value that the model knows (DescribeUnknownColumns).
  void Warn() const;

 private:
  const Model& model_;
  const TableReader& reader_;
  std::vector<ValueCounts> counts_;  // of each of the model's columns
};

}  // namespace dtf::cli
