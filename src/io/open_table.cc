#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dtf/io.h"
#include "io/arrow_reader.h"
#include "io/arrow_writer.h"
#include "io/byte_sink.h"
#include "io/byte_source.h"
#include "io/csv_reader.h"
#include "io/csv_writer.h"
#include "io/file_format.h"

namespace dtf {

std::unique_ptr<TableReader> OpenTable(const std::string& path, const ReadOptions& options) {
  const char delimiter = DelimiterOf(path, options.delimiter);
  const FileFormat format = FormatOf(path);
  if (format != FileFormat::kText) return OpenArrowTable(path, format, options);
  return std::make_unique<CsvReader>(OpenText(path), delimiter, options);
}

std::unique_ptr<TableWriter> CreateTable(const std::string& path, const std::vector<ColumnHeader>& columns,
                                         const WriteOptions& options) {
  const char delimiter = DelimiterOf(path, options.delimiter);
  const FileFormat format = FormatOf(path);
  if (format != FileFormat::kText) return CreateArrowTable(path, format, columns);
  return std::make_unique<CsvWriter>(CreateText(path), delimiter, options.header, columns);
}

}  // namespace dtf
