// Writes CSV and TSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dtf/io.h"
#include "io/byte_sink.h"

namespace dtf {

// RFC 4180 with LF line ends. The empty text is `""`, a missing cell is bare; other cells are quoted only when they
// have to be.
class CsvWriter : public TableWriter {
 public:
  CsvWriter(std::unique_ptr<ByteSink> sink, char delimiter, bool header, const std::vector<ColumnHeader>& columns);

  void Write(const Batch& batch) override;
  void Finish() override;

 private:
  // The entries of one column's dictionary as they stand in the file, each with the delimiter or line end behind it.
  struct CellTexts {
    std::string bytes;                   // one after the other, and kSlack bytes
    std::vector<std::uint64_t> offsets;  // one more than there are entries; entry 0 is the missing cell
  };

  void Extend(CellTexts& texts, char separator, const std::vector<std::string>& dictionary);
  void AppendCell(const CellTexts& texts, std::size_t entry);
  void Flush();

  std::unique_ptr<ByteSink> sink_;
  char delimiter_;
  std::vector<CellTexts> columns_;
  bool has_epoch_ = false;  // the texts are those of epoch_
  std::uint64_t epoch_ = 0;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
};

// Appends `text` as a cell: in quotes when it has to be, so that it is read back.
void AppendQuoted(std::string_view text, char delimiter, std::string& out);

}  // namespace dtf
