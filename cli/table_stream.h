// Tables that pass through in batches, so that memory does not grow with their rows.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "dtf/io.h"

namespace dtf::cli {

inline constexpr std::size_t kBatchRows = 65536;

// Calls `take` with one batch of `reader` after the other; once, with no rows, for a table without any.
void ForEachBatch(TableReader& reader, const std::function<void(const Batch&)>& take);

// Writes batches to a table that is created with the first of them: an error before that leaves no trace.
class OutputTable {
 public:
  OutputTable(std::string path, std::vector<ColumnHeader> headers);

  void Write(Batch batch);
  // REQUIRES: Write was called.
  void Finish();

 private:
  std::string path_;
  std::vector<ColumnHeader> headers_;
  std::unique_ptr<TableWriter> writer_;
  std::size_t rows_ = 0;
  std::uint64_t batches_ = 0;
};

// What `convert` makes of each batch of `reader`, as a table of `headers` at `path`.
void Transform(TableReader& reader, const std::function<Batch(const Batch&)>& convert, const std::string& path,
               const std::vector<ColumnHeader>& headers);

}  // namespace dtf::cli
