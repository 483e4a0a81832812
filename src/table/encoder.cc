#include "table/encoder.h"

#include <algorithm>
#include <utility>

#include "base/column_names.h"
#include "dtf/error.h"
#include "table/binning.h"
#include "table/schema_builder.h"

namespace dtf {
namespace {

constexpr Code kNotAskedYet = kMissingCell;

// The category after all others, or else the unseen slot.
Code MissingCode(const ColumnSchema& column) { return static_cast<Code>(column.categories.size()); }

}  // namespace

CategoryIndex::CategoryIndex(const Schema& schema) : schema_(schema), code_of_(schema.columns.size()) {
  for (std::size_t j = 0; j < code_of_.size(); ++j) {
    if (schema.columns[j].bins) continue;
    const auto& categories = schema.columns[j].categories;
    code_of_[j].reserve(categories.size());
    for (std::size_t code = 0; code < categories.size(); ++code) {
      code_of_[j].emplace(categories[code], static_cast<Code>(code));
    }
  }
}

Code CategoryIndex::CodeOf(std::size_t column, std::string_view text) const {
  const ColumnSchema& schema = schema_.columns[column];
  if (schema.MeansMissing(text)) return MissingCode(schema);
  if (schema.bins) {
    const auto value = ParseNumber(text);
    return value ? BinOf(*schema.bins, *value) : kNotANumber;
  }
  const auto found = code_of_[column].find(text);
  return found == code_of_[column].end() ? schema.size() : found->second;
}

Encoder::Encoder(const CategoryIndex& index, const std::vector<ColumnHeader>& headers, const std::string& source,
                 const std::optional<std::string>& ignored)
    : index_(index), positions_(MatchColumns(NamesOf(HeadersOf(index.schema())), headers, source, ignored)) {}

CodeTable Encoder::Encode(const Batch& batch, Unseen unseen, std::span<const double> weights) const {
  CodeTable table{.rows = batch.rows, .columns = {}};
  table.columns.reserve(positions_.size());
  std::vector<Code> codes;  // of the dictionary's entries; it may hold many more than the batch has rows
  for (std::size_t j = 0; j < positions_.size(); ++j) {
    const ColumnSchema& schema = index_.schema().columns[j];
    const TextColumn& text = batch.columns[positions_[j]];
    codes.assign(text.dictionary.size(), kNotAskedYet);
    const Code slot = schema.size();
    const Code missing = MissingCode(schema);
    const Code greatest_good = unseen == Unseen::kError ? slot - 1 : slot;
    CodeColumn& column = table.columns.emplace_back(batch.rows, std::size_t{slot} + 1);
    column.Visit([&]<typename T>(std::span<T> cells) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const Code cell = text.cells[i];
        if (cell != kMissingCell && codes[cell] == kNotAskedYet) {
          codes[cell] = index_.CodeOf(j, text.dictionary[cell]);
        }
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

std::vector<ValueCounts> Encoder::CountValues(const Batch& batch) const {
  std::vector<ValueCounts> counts(positions_.size());
  std::vector<std::size_t> cells_of;  // of each of the dictionary's entries
  for (std::size_t j = 0; j < positions_.size(); ++j) {
    const ColumnSchema& schema = index_.schema().columns[j];
    const TextColumn& text = batch.columns[positions_[j]];
    const auto add = [&](Code code, std::size_t cells) {
      if (code < schema.categories.size()) counts[j].known += cells;
      if (code >= schema.size()) counts[j].unknown += cells;
    };
    cells_of.assign(text.dictionary.size(), 0);
    std::size_t missing = 0;
    for (const Code cell : text.cells) ++(cell == kMissingCell ? missing : cells_of[cell]);
    add(MissingCode(schema), missing);
    for (std::size_t entry = 0; entry < cells_of.size(); ++entry) {
      if (cells_of[entry] > 0) add(index_.CodeOf(j, text.dictionary[entry]), cells_of[entry]);
    }
  }
  return counts;
}

void Encoder::Fail(const Batch& batch, std::size_t column, std::size_t row, Code code) const {
  const TextColumn& text = batch.columns[positions_[column]];
  const Code cell = text.cells[row];
  const std::string value = cell == kMissingCell ? "a missing cell" : "`" + text.dictionary[cell] + "`";
  const std::string reason = code == CategoryIndex::kNotANumber ? " is not a number, and the column is cut into bins"
                                                                : " is not a value that the model was fitted with";
  throw Error(ErrorKind::kInput,
              DescribeRow(batch, row) + ", column `" + index_.schema().columns[column].name + "`: " + value + reason);
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
    const ColumnSchema& column = schema.columns[j];
    if (!column.bins) continue;
    TextColumn& text = batch.columns[j];
    const BinDraws draws(column);
    std::unordered_map<std::string, Code> entry_of;
    text.dictionary.clear();
    for (std::size_t i = 0; i < text.cells.size(); ++i) {
      if (text.cells[i] == kMissingCell) continue;
      RandomStream random(seed, RandomPurpose::kBins, first_row + i, j);
      std::string value = draws.Draw(text.cells[i], random);
      const auto [entry, is_new] = entry_of.emplace(std::move(value), static_cast<Code>(text.dictionary.size()));
      if (is_new) text.dictionary.push_back(entry->first);
      text.cells[i] = entry->second;
    }
  }
  return batch;
}

}  // namespace dtf
