// Between texts and codes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/random.h"
#include "dtf/schema.h"
#include "table/code_table.h"

namespace dtf {

// The code of each text, by column.
class CategoryIndex {
 public:
  // Keeps a reference to `schema`.
  explicit CategoryIndex(const Schema& schema);

  const Schema& schema() const { return schema_; }

  // The code of a cell with this text: that of missing if the text means missing; the unseen slot if there is no such
  // category; kNotANumber if the column has bins and the text is no number.
  Code CodeOf(std::size_t column, std::string_view text) const;
  static constexpr Code kNotANumber = kMissingCell - 1;

 private:
  const Schema& schema_;
  std::vector<std::unordered_map<std::string_view, Code>> code_of_;
};

// Turns batches of one table into codes of a schema. Columns are matched by name, values by text. A missing cell
// becomes the unseen slot in a column without a category for missing.
class Encoder {
 public:
  // Keeps a reference to `index`. `ignored`: a column that the table may have and the schema has not. Throws
  // Error(kInput) when the columns differ otherwise (MatchColumns).
  Encoder(const CategoryIndex& index, const std::vector<ColumnHeader>& headers, const std::string& source,
          const std::optional<std::string>& ignored = {});

  // Throws Error(kInput), naming row, column and value, for what is not a number in a binned column, and, when `unseen`
  // is an error, for a value without a category; but not in rows of weight 0, where such values become the unseen slot.
  // weights: one for each row, or none.
  enum class Unseen { kSlot, kError };
  CodeTable Encode(const Batch& batch, Unseen unseen, std::span<const double> weights = {}) const;

  // One for each of the schema's columns.
  std::vector<ValueCounts> CountValues(const Batch& batch) const;

 private:
  [[noreturn]] void Fail(const Batch& batch, std::size_t column, std::size_t row, Code code) const;

  const CategoryIndex& index_;
  std::vector<std::size_t> positions_;  // of the schema's columns in the table
};

// The headers of a table in the schema's columns, and its rows from codes, all of them categories. Bins become their
// representatives.
std::vector<ColumnHeader> HeadersOf(const Schema& schema);
Batch DecodeTable(const Schema& schema, const CodeTable& codes);

// As DecodeTable, but bins become values drawn from them: rows first_row, first_row + 1, … of the sample of `seed`.
Batch DecodeSample(const Schema& schema, const CodeTable& codes, std::uint64_t seed, std::uint64_t first_row);

}  // namespace dtf
