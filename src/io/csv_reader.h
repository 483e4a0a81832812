// Reads CSV and TSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dtf/io.h"
#include "io/batch_builder.h"
#include "io/line_reader.h"
#include "io/quoted_record.h"

namespace dtf {

// RFC 4180, taken strictly: a cell is quoted as a whole or not at all, each row has as many cells as the header, and
// blanks count. Lines end in LF, CRLF or CR. A blank line is skipped, but is a missing cell in a table of one column.
// Cells of dropped columns are only checked for structure.
class CsvReader : public TableReader {
 public:
  static constexpr std::size_t kMaxColumns = 1'000'000;

  // Reads the header. `buffer_bytes` is for tests.
  CsvReader(std::unique_ptr<ByteSource> source, char delimiter, const ReadOptions& options,
            std::size_t buffer_bytes = LineReader::kBufferBytes);

  const std::string& source() const override { return lines_.source(); }
  const std::vector<ColumnHeader>& columns() const override { return builder_.columns(); }
  const std::vector<MissingMarker>& missing() const override { return builder_.missing(); }
  bool HasMet(std::size_t marker) const override { return builder_.HasMet(marker); }
  bool Next(Batch& batch, std::size_t max_rows) override;

 private:
  static constexpr std::uint32_t kDropped = static_cast<std::uint32_t>(-1);

  using Fields = std::vector<QuotedRecord::Field>;
  struct FirstRecord {
    std::uint64_t line = 0;
    std::vector<std::optional<std::string>> cells;  // nothing: missing
    std::uint64_t blank_lines = 0;                  // before it
  };

  void CheckStart();
  FirstRecord ReadFirstRecord();
  void TakeHeader(const FirstRecord& record, const ReadOptions& options);
  void TakeFirstRow(Batch& batch);

  bool NextRow(Batch& batch);
  void AddPlainRow(Batch& batch, const Line& line);
  void AddRow(Batch& batch, const Fields& fields, std::uint64_t line);
  void AddMissingRow(Batch& batch, std::uint64_t line);
  void EndRow(Batch& batch, std::uint64_t line, std::size_t fields);

  // The record that starts with `line`, which has a quote; valid until the next call.
  const Fields& ReadQuoted(Line line);
  [[noreturn]] void ThrowUnclosed();
  [[noreturn]] void ThrowBadQuote(QuotedRecord::State state, std::uint64_t line);
  [[noreturn]] void ThrowWrongWidth(std::uint64_t line, std::size_t fields) const;
  // ", line 5 (record 3)"; the header is no record.
  std::string DescribeLine(std::uint64_t line) const;

  char delimiter_;
  bool has_header_;
  LineReader lines_;
  QuotedRecord quoted_;
  BatchBuilder builder_;
  std::vector<std::string> names_;        // of all columns of the file
  std::vector<std::uint32_t> targets_;    // for each of them its position among the chosen ones, or kDropped
  std::optional<FirstRecord> first_row_;  // of a table without header, until it is handed out
  std::size_t records_ = 0;               // rows so far
};

}  // namespace dtf
