// The part of reading that all formats share: cells become codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dtf/io.h"
#include "dtf/table.h"
#include "io/text_index.h"

namespace dtf {

// Fills a reader's batches: Begin, then one AddText or AddMissing per column for each of some rows (in any order of
// columns), then the reader sets the batch's rows. Dictionaries grow from batch to batch, until they get so large that
// they are started anew: memory stays bounded however long the table is.
class BatchBuilder {
 public:
  static constexpr std::size_t kMaxEntries = 1'000'000;            // of one column
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;  // of all dictionaries

  BatchBuilder() = default;
  // Markers of other columns are ignored.
  BatchBuilder(std::string source, std::vector<ColumnHeader> columns, std::vector<MissingMarker> missing);

  const std::vector<ColumnHeader>& columns() const { return columns_; }
  const std::vector<MissingMarker>& missing() const { return missing_; }
  bool HasMet(std::size_t marker) const;

  // Empties `batch` of rows; `first_record` is the number of rows that came before.
  void Begin(Batch& batch, std::size_t first_record);

  void AddMissing(std::size_t column) { batch_->columns[column].cells.push_back(kMissingCell); }

  // Throws Error(kInput) when `text` is not UTF-8, naming the row by `line` (0: unknown) and its record. The row's
  // number is how many cells the column has.
  void AddText(std::size_t column, std::string_view text, std::uint64_t line = 0) {
    TextColumn& cells = batch_->columns[column];
    const std::size_t entries = cells.dictionary.size();
    const Code code = indexes_[column].FindOrAdd(text, cells.dictionary);
    if (cells.dictionary.size() != entries) NoteNewText(column, line);
    cells.cells.push_back(code);
  }

  // Position of `text` in the column's dictionary, for cells that are added by AddCode.
  Code Encode(std::size_t column, std::string_view text);
  void AddCode(std::size_t column, Code code) { batch_->columns[column].cells.push_back(code); }

 private:
  void NoteNewText(std::size_t column, std::uint64_t line);
  void StartAnew();

  std::string source_;
  std::vector<ColumnHeader> columns_;
  std::vector<MissingMarker> missing_;
  std::vector<TextIndex> indexes_;
  Batch* batch_ = nullptr;  // the batch being filled; the caller's
  std::size_t bytes_ = 0;   // of all dictionaries, about
  std::uint64_t epoch_ = 0;
};

// "SOURCE, line 5 (record 3), column `town`"; without a line (0): "SOURCE, record 3, column `town`". `record` is
// 1-based.
std::string DescribeCell(const std::string& source, std::uint64_t line, std::size_t record, const std::string& column);

}  // namespace dtf
