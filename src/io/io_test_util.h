// What the tests of this folder share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/directory_test_util.h"
#include "dtf/error.h"
#include "dtf/io.h"
#include "io/byte_source.h"

namespace dtf {

inline std::string ReadBytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string WriteBytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

// A source called "t.csv" that hands out at most `piece` bytes at a time.
class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string text, std::size_t piece = 1 << 20) : text_(std::move(text)), piece_(piece) {}
  const std::string& name() const override { return name_; }
  std::size_t Read(char* data, std::size_t size) override {
    const std::size_t count = text_.copy(data, std::min(size, piece_), at_);
    at_ += count;
    return count;
  }

 private:
  std::string name_ = "t.csv";
  std::string text_;
  std::size_t piece_;
  std::size_t at_ = 0;
};

inline ReadOptions NoHeader() {
  ReadOptions options;
  options.header = false;
  return options;
}

inline ReadOptions Choose(std::vector<std::string> drop, std::vector<std::string> keep) {
  ReadOptions options;
  options.drop = std::move(drop);
  options.keep = std::move(keep);
  return options;
}

inline ReadOptions MarkMissing(std::vector<MissingMarker> markers) {
  ReadOptions options;
  for (const MissingMarker& marker : markers) options.missing.push_back(marker.column.value_or("") + "=" + marker.text);
  return options;
}

using Cells = std::vector<std::optional<std::string>>;  // of a row; nothing: missing

inline constexpr auto kMissing = std::nullopt;

inline std::vector<Cells> RowsOf(const Batch& batch) {
  std::vector<Cells> rows(batch.rows);
  for (const TextColumn& column : batch.columns) {
    EXPECT_EQ(column.cells.size(), batch.rows);
    for (std::size_t i = 0; i < batch.rows; ++i) {
      const Code code = column.cells[i];
      rows[i].push_back(code == kMissingCell ? std::nullopt : std::optional(column.dictionary[code]));
    }
  }
  return rows;
}

inline std::vector<std::string> NamesOf(const TableReader& reader) {
  std::vector<std::string> names;
  for (const ColumnHeader& column : reader.columns()) names.push_back(column.name);
  return names;
}

// A batch that holds `rows`.
inline Batch MakeBatch(const std::vector<Cells>& rows) {
  Batch batch;
  batch.rows = rows.size();
  if (!rows.empty()) batch.columns.resize(rows[0].size());
  for (const Cells& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      TextColumn& column = batch.columns[i];
      if (!row[i]) {
        column.cells.push_back(kMissingCell);
        continue;
      }
      const auto found = std::find(column.dictionary.begin(), column.dictionary.end(), *row[i]);
      column.cells.push_back(static_cast<Code>(found - column.dictionary.begin()));
      if (found == column.dictionary.end()) column.dictionary.push_back(*row[i]);
    }
  }
  return batch;
}

// What the error says that `call` throws.
template <typename Call>
std::string MessageOf(const Call& call, ErrorKind kind = ErrorKind::kInput) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "no error";
}

}  // namespace dtf
