#include "table/encoder.h"

#include <algorithm>
#include <utility>

#include "dtf/error.h"
#include "table/binning.h"
#include "table/schema_builder.h"

namespace dtf {
namespace {

constexpr Code kNotANumber = kMissingCell - 1;

// The category after all others, or else the unseen slot.
Code MissingCode(const ColumnSchema& column) { return static_cast<Code>(column.categories.size()); }

}  // namespace

Encoder::Encoder(const Schema& schema, const std::vector<ColumnHeader>& headers, const std::string& source,
                 const std::optional<std::string>& ignored)
    : schema_(schema), columns_(schema.columns.size()) {
  std::vector<std::string> names;
  for (const auto& column : schema.columns) names.push_back(column.name);
  const auto positions = MatchColumns(names, headers, source, ignored);
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    columns_[j].position = positions[j];
    if (schema.columns[j].bins) continue;
    const auto& categories = schema.columns[j].categories;
    columns_[j].code_of.reserve(categories.size());
    for (std::size_t code = 0; code < categories.size(); ++code) {
      columns_[j].code_of.emplace(categories[code], static_cast<Code>(code));
    }
  }
}

CodeTable Encoder::Encode(const Batch& batch, Unseen unseen, std::span<const double> weights) {
  if (batch.epoch != epoch_) {
    for (auto& column : columns_) column.codes.clear();
    epoch_ = batch.epoch;
  }
  CodeTable table{.rows = batch.rows, .columns = {}};
  table.columns.reserve(columns_.size());
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const ColumnSchema& schema = schema_.columns[j];
    const TextColumn& text = batch.columns[columns_[j].position];
    std::vector<Code>& codes = columns_[j].codes;
    while (codes.size() < text.dictionary.size()) codes.push_back(CodeOf(j, text.dictionary[codes.size()]));

    const Code slot = schema.size();
    const Code missing = MissingCode(schema);
    const Code greatest_good = unseen == Unseen::kError ? slot - 1 : slot;
    CodeColumn& column = table.columns.emplace_back(batch.rows, std::size_t{slot} + 1);
    column.Visit([&]<typename T>(std::span<T> cells) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const Code cell = text.cells[i];
        Code code = cell == kMissingCell ? missing : codes[cell];
        if (code > greatest_good) {
          if (weights.empty() || weights[i] > 0) Fail(batch, j, i, code);
          code = slot;
        }
        cells[i] = static_cast<T>(code);
      }
    });
  }
  return table;
}

Code Encoder::CodeOf(std::size_t column, const std::string& text) const {
  const ColumnSchema& schema = schema_.columns[column];
  if (schema.MeansMissing(text)) return MissingCode(schema);
  if (schema.bins) {
    const auto value = ParseNumber(text);
    return value ? BinOf(*schema.bins, *value) : kNotANumber;
  }
  const auto found = columns_[column].code_of.find(text);
  return found == columns_[column].code_of.end() ? schema.size() : found->second;
}

void Encoder::Fail(const Batch& batch, std::size_t column, std::size_t row, Code code) const {
  const TextColumn& text = batch.columns[columns_[column].position];
  const Code cell = text.cells[row];
  const std::string value = cell == kMissingCell ? "a missing cell" : "`" + text.dictionary[cell] + "`";
  const std::string reason = code == kNotANumber ? " is not a number, and the column is cut into bins"
                                                 : " is not a value that the model was fitted with";
  throw Error(ErrorKind::kInput,
              DescribeRow(batch, row) + ", column `" + schema_.columns[column].name + "`: " + value + reason);
}

std::vector<ColumnHeader> HeadersOf(const Schema& schema) {
  std::vector<ColumnHeader> headers;
  for (const auto& column : schema.columns) headers.push_back({column.name, column.type});
  return headers;
}

Batch DecodeTable(const Schema& schema, const CodeTable& codes) {
  Batch batch;
  batch.rows = codes.rows;
  for (std::size_t j = 0; j < schema.columns.size(); ++j) {
    const ColumnSchema& column = schema.columns[j];
    TextColumn& text = batch.columns.emplace_back();
    text.dictionary = column.categories;
    text.cells.resize(codes.rows);
    codes.columns[j].Read(0, text.cells);
    for (Code& cell : text.cells) {
      if (cell == column.categories.size()) cell = kMissingCell;
    }
  }
  return batch;
}

Batch DecodeSample(const Schema& schema, const CodeTable& codes, std::uint64_t seed, std::uint64_t first_row) {
  Batch batch = DecodeTable(schema, codes);
  for (std::size_t j = 0; j < schema.columns.size(); ++j) {
    const auto& bins = schema.columns[j].bins;
    if (!bins) continue;
    TextColumn& text = batch.columns[j];
    std::unordered_map<std::string, Code> entry_of;
    text.dictionary.clear();
    for (std::size_t i = 0; i < text.cells.size(); ++i) {
      if (text.cells[i] == kMissingCell) continue;
      RandomStream random(seed, RandomPurpose::kBins, first_row + i, j);
      std::string value = DrawFromBin(*bins, text.cells[i], random);
      const auto [entry, is_new] = entry_of.emplace(std::move(value), static_cast<Code>(text.dictionary.size()));
      if (is_new) text.dictionary.push_back(entry->first);
      text.cells[i] = entry->second;
    }
  }
  return batch;
}

}  // namespace dtf
