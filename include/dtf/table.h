// Tables of categorical cells, as they are read and written: every cell is a text or missing.
//
// A table is a sequence of batches of rows. Within a batch each column is dictionary-encoded: `cells[i]` is the
// position of row i's text in `dictionary`, or `kMissingCell`. Positions mean nothing outside their batch's
// dictionary; categories are matched by text, columns by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace dtf {

using Code = std::uint32_t;  // position of a category in its column's list, 0-based

inline constexpr Code kMissingCell = std::numeric_limits<Code>::max();

// Name and type of one column. The type is Apache Arrow's name of it ("string", "int64", "bool", "date32[day]", …);
// text formats give "string". It decides how cells are written, never what they mean.
struct ColumnHeader {
  std::string name;
  std::string type = "string";

  friend bool operator==(const ColumnHeader&, const ColumnHeader&) = default;
};

// Cells of one column of a batch, in UTF-8.
struct TextColumn {
  std::vector<std::string> dictionary;  // may hold texts that no cell of the batch has
  std::vector<Code> cells;              // one per row: a position in `dictionary`, or kMissingCell
};

// What a table's text format, or its author, writes where a value is missing.
struct MissingMarker {
  std::optional<std::string> column;  // all columns when absent
  std::string text;                   // a cell with exactly this text, quoted or not, is missing
};

// Consecutive rows of a table.
struct Batch {
  std::string source = {};  // what messages call the table: its path, or "standard input"
  std::vector<TextColumn> columns;
  std::size_t rows = 0;
  std::size_t first_record = 0;      // rows of the table before this batch
  std::vector<std::uint64_t> lines;  // 1-based line of the file on which each row starts; empty if not a text file
  std::uint64_t epoch = 0;           // changes whenever a reader starts its dictionaries anew; else they only grow
};

// A table and what its columns are called.
struct NamedTable {
  std::vector<ColumnHeader> headers;
  Batch rows;
};

// "t.csv, line 7" where lines are known, "t.parquet, record 3" otherwise (1-based). For messages.
// REQUIRES: row < batch.rows, a position in the batch; batch.lines is empty or has an entry for each row.
std::string DescribeRow(const Batch& batch, std::size_t row);

}  // namespace dtf
