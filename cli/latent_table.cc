#include "latent_table.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "dtf/error.h"
#include "table_stream.h"

namespace dtf::cli {
namespace {

// A code as encode writes it: no sign, no point, no zeros in front.
std::optional<Code> ParseCode(const std::string& text, Code size) {
  const bool starts_with_zero = text.size() > 1 && text.front() == '0';
  Code code = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, code);
  if (starts_with_zero || error != std::errc() || stop != end || code >= size) return std::nullopt;
  return code;
}

// One column of codes as it is read: each text of a batch's dictionary is understood once.
class CodeColumn {
 public:
  explicit CodeColumn(LatentColumn column) : column_(std::move(column)) {}

  void Append(const TextColumn& texts, const Batch& batch, std::vector<Code>* codes) {
    if (batch.epoch != epoch_) parsed_.clear();
    epoch_ = batch.epoch;
    while (parsed_.size() < texts.dictionary.size()) {
      parsed_.push_back(ParseCode(texts.dictionary[parsed_.size()], column_.size));
    }
    for (std::size_t i = 0; i < batch.rows; ++i) {
      const Code cell = texts.cells[i];
      if (cell == kMissingCell || !parsed_[cell]) {
        Refuse(batch, i, cell == kMissingCell ? "a missing cell" : "`" + texts.dictionary[cell] + "`");
      }
      codes->push_back(*parsed_[cell]);
    }
  }

 private:
  [[noreturn]] void Refuse(const Batch& batch, std::size_t row, const std::string& value) const {
    throw Error(ErrorKind::kInput, DescribeRow(batch, row) + ", column `" + column_.name + "`: " + value +
                                       " is no latent code; the column's codes are the whole numbers 0.." +
                                       std::to_string(column_.size - 1));
  }

  LatentColumn column_;
  std::uint64_t epoch_ = 0;
  std::vector<std::optional<Code>> parsed_;
};

// For each latent column of the model its position in the table.
std::vector<std::size_t> MatchColumns(const std::vector<LatentColumn>& columns, const TableReader& reader) {
  std::unordered_map<std::string, std::size_t> positions;
  for (const ColumnHeader& header : reader.columns()) positions.emplace(header.name, positions.size());
  std::vector<std::size_t> match;
  for (const LatentColumn& column : columns) {
    const auto found = positions.find(column.name);
    if (found == positions.end()) {
      throw Error(ErrorKind::kInput, reader.source() + " has no column `" + column.name + "`, which the model has");
    }
    match.push_back(found->second);
    positions.erase(found);
  }
  for (const ColumnHeader& header : reader.columns()) {
    if (!positions.contains(header.name)) continue;
    throw Error(ErrorKind::kInput, reader.source() + " has a column `" + header.name +
                                       "` that the model does not have; leave it out with --drop");
  }
  return match;
}

}  // namespace

std::vector<ColumnHeader> LatentHeaders(const Model& model) {
  std::vector<ColumnHeader> headers;
  for (const LatentColumn& column : model.latent_columns()) headers.push_back({column.name, "int64"});
  return headers;
}

Batch ToBatch(const Model& model, std::vector<std::vector<Code>> latent) {
  const std::vector<LatentColumn> columns = model.latent_columns();
  Batch batch;
  batch.rows = latent.front().size();
  for (std::size_t j = 0; j < latent.size(); ++j) {
    TextColumn column;
    const Code size = columns[j].size;
    for (Code code = 0; code < size; ++code) column.dictionary.push_back(std::to_string(code));
    column.cells = std::move(latent[j]);
    batch.columns.push_back(std::move(column));
  }
  return batch;
}

void ForEachLatent(const Model& model, TableReader& reader, const std::function<void(Latent)>& take) {
  const std::vector<LatentColumn> latent_columns = model.latent_columns();
  const std::vector<std::size_t> match = MatchColumns(latent_columns, reader);
  std::vector<CodeColumn> columns(latent_columns.begin(), latent_columns.end());
  ForEachBatch(reader, [&](const Batch& batch) {
    Latent latent(match.size());
    for (std::size_t j = 0; j < match.size(); ++j) columns[j].Append(batch.columns[match[j]], batch, &latent[j]);
    take(std::move(latent));
  });
}

}  // namespace dtf::cli
