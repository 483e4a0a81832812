// Warns of tables whose values are spelt otherwise than those that the model was fitted to.
#pragma once

#include <string>
#include <vector>

#include "dtf/io.h"
#include "dtf/model.h"

namespace dtf::cli {

// Keeps references to both, of which the reader gives the batches.
class KnownValues {
 public:
  KnownValues(const Model& model, const TableReader& reader);

  void Take(const Batch& batch);

  // Prints a warning for each column in which no row had a value that the model knows; not for few rows, where that may
  // be chance.
  void Warn() const;

 private:
  const Model& model_;
  const TableReader& reader_;
  std::vector<bool> is_known_;  // of each of the model's columns
  std::size_t rows_ = 0;
};

}  // namespace dtf::cli
