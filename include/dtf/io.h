// Reading and writing tables: CSV and TSV (also gzip), Parquet, Arrow IPC; `-` is standard input or output.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dtf/error.h"
#include "dtf/table.h"

namespace dtf {

struct ReadOptions {
  std::optional<char> delimiter;  // default: tab for .tsv, comma otherwise. Never guessed from content
  bool header = true;             // without: columns are c1, c2, …
  // Texts that mean missing: each is `COL=TEXT`, for one column, or `TEXT` or `=TEXT`, for all of them. COL is a column
  // of the file, the one of the longest name if several fit. A TEXT for all columns that holds an `=` is written
  // `=TEXT`.
  std::vector<std::string> missing;
  std::vector<std::string> drop;  // columns to leave out; each must exist
  std::vector<std::string> keep;  // if not empty: the only columns to read, in the file's order; each must exist
                                  // and none may be in `drop`
};

// A table read from front to back, once.
class TableReader {
 public:
  virtual ~TableReader() = default;

  // How messages call the table: its path, or "standard input".
  virtual const std::string& source() const = 0;

  // The chosen columns (ReadOptions::drop, keep), names distinct.
  virtual const std::vector<ColumnHeader>& columns() const = 0;

  // ReadOptions::missing, as it is meant for this file.
  virtual const std::vector<MissingMarker>& missing() const = 0;
  // Whether a cell of the rows read so far was missing because of missing()[marker].
  virtual bool HasMet(std::size_t marker) const = 0;

  // Replaces the cells of `batch` by the next rows, at most `max_rows` (> 0). Returns false, with no rows, at the end.
  // REQUIRES: `batch` is empty or what the last call left, unchanged.
  // Throws Error(kInput) on malformed input, naming source, line, column and value.
  virtual bool Next(Batch& batch, std::size_t max_rows) = 0;
};

// Format by file name: .csv .tsv (.gz) .parquet .arrow; anything else, and `-`, is CSV.
// Throws Error(kInput) when the file cannot be opened, is empty, or has a header at fault or columns of a type that
// cannot be read; Error(kUsage) when options name a column that is not there or leave none, or for a delimiter that is
// no ASCII character, or a quote or line end.
std::unique_ptr<TableReader> OpenTable(const std::string& path, const ReadOptions& options);

// All rows that `reader` has left, as one batch. Throws what Next throws.
Batch ReadAll(TableReader& reader);

// Only text formats use them.
struct WriteOptions {
  std::optional<char> delimiter;  // default: tab for .tsv, comma otherwise
  bool header = true;
};

// A table written from front to back. Nothing stands under the final name before Finish returns: a writer destroyed
// without Finish leaves no file, and an old file as it was. Standard output and devices are written as rows come.
class TableWriter {
 public:
  virtual ~TableWriter() = default;

  // REQUIRES: one batch column per column of the table. Throws Error(kOther) when it cannot be written (BrokenPipe when
  // a pipe's reader has gone), or when a cell is no value of its column's type.
  virtual void Write(const Batch& batch) = 0;

  // Flushes, and gives the file its name. Throws as Write does: "cannot write PATH: REASON".
  virtual void Finish() = 0;
};

// Format by file name as for OpenTable. CSV cells are quoted where needed, and the empty text always, so that the file
// reads back to the same cells: a missing cell is bare. Throws Error(kOther) when there can be no file of that name,
// Error(kUsage) for a table without columns or a delimiter that OpenTable would refuse.
std::unique_ptr<TableWriter> CreateTable(const std::string& path, const std::vector<ColumnHeader>& columns,
                                         const WriteOptions& options);

// Removes the temporary files of all writers and models not yet finished. Async-signal-safe: for signal handlers that
// end the process.
void RemoveUnfinishedOutputs() noexcept;

}  // namespace dtf
