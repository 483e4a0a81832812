#include "io/batch_builder.h"

#include <algorithm>
#include <utility>

#include "dtf/error.h"
#include "io/utf8.h"

namespace dtf {

BatchBuilder::BatchBuilder(std::string source, std::vector<ColumnHeader> columns, std::vector<MissingMarker> missing)
    : source_(std::move(source)),
      columns_(std::move(columns)),
      missing_(std::move(missing)),
      indexes_(columns_.size()) {
  for (const MissingMarker& marker : missing_) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (marker.column.value_or(columns_[i].name) == columns_[i].name) indexes_[i].Mark(marker.text);
    }
  }
}

bool BatchBuilder::HasMet(std::size_t marker) const {
  const auto& [column, text] = missing_[marker];
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (column.value_or(columns_[i].name) == columns_[i].name && indexes_[i].HasMet(text)) return true;
  }
  return false;
}

void BatchBuilder::Begin(Batch& batch, std::size_t first_record) {
  batch_ = &batch;
  // If the caller gives a batch that is not the one that this reader left, its dictionaries lack the indexed texts.
  const bool is_new = batch.columns.size() != columns_.size();
  const bool is_large = bytes_ > kMaxBytes ||
                        std::any_of(batch.columns.begin(), batch.columns.end(),
                                    [](const TextColumn& column) { return column.dictionary.size() > kMaxEntries; });
  if (is_new) batch.columns.assign(columns_.size(), {});
  if (is_large || (is_new && bytes_ > 0)) StartAnew();
  for (TextColumn& column : batch.columns) column.cells.clear();
  batch.rows = 0;
  batch.first_record = first_record;
  batch.lines.clear();
  batch.epoch = epoch_;
}

void BatchBuilder::StartAnew() {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    batch_->columns[i].dictionary = {};
    indexes_[i].Clear();
  }
  bytes_ = 0;
  ++epoch_;
}

Code BatchBuilder::Encode(std::size_t column, std::string_view text) {
  std::vector<std::string>& dictionary = batch_->columns[column].dictionary;
  const std::size_t entries = dictionary.size();
  const Code code = indexes_[column].FindOrAdd(text, dictionary);
  if (dictionary.size() != entries) NoteNewText(column, 0);
  return code;
}

void BatchBuilder::NoteNewText(std::size_t column, std::uint64_t line) {
  const TextColumn& cells = batch_->columns[column];
  const std::string& text = cells.dictionary.back();
  bytes_ += text.size() + sizeof(std::string);
  const std::size_t invalid = FindInvalidUtf8(text);
  if (invalid == std::string::npos) return;
  throw Error(ErrorKind::kInput,
              DescribeCell(source_, line, batch_->first_record + cells.cells.size() + 1, columns_[column].name) + ": " +
                  DescribeInvalidUtf8(text[invalid]));
}

std::string DescribeCell(const std::string& source, std::uint64_t line, std::size_t record, const std::string& column) {
  const std::string number = "record " + std::to_string(record);
  return source + ", " + (line == 0 ? number : "line " + std::to_string(line) + " (" + number + ")") + ", column `" +
         column + "`";
}

}  // namespace dtf
