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

// Turns batches of one table into codes of a schema. Columns are matched by name, values by text; a text that means
// missing is as a missing cell. A value without a category, missing where there is no such category included, becomes
// the unseen slot.
class Encoder {
 public:
  // Keeps a reference to `schema`. `ignored`: a column of the table that the schema lacks. Throws Error(kInput) when
  // the columns differ otherwise (MatchColumns).
  Encoder(const Schema& schema, const std::vector<ColumnHeader>& headers, const std::string& source,
          const std::optional<std::string>& ignored = {});

  // Throws Error(kInput), naming row, column and value, for what is not a number in a binned column, and, when `unseen`
  // is an error, for a value without a category; but not in rows of weight 0, where such values become the unseen slot.
  // weights: one for each row, or none.
  enum class Unseen { kSlot, kError };
  CodeTable Encode(const Batch& batch, Unseen unseen, std::span<const double> weights = {});

 private:
  struct ColumnCache {
    std::size_t position = 0;  // of the column in the table
    std::unordered_map<std::string_view, Code> code_of;
    std::vector<Code> codes;  // of the dictionary's entries so far
  };

  Code CodeOf(std::size_t column, const std::string& text) const;
  [[noreturn]] void Fail(const Batch& batch, std::size_t column, std::size_t row, Code code) const;

  const Schema& schema_;
  std::vector<ColumnCache> columns_;
  std::uint64_t epoch_ = 0;
};

// The headers of a table in the schema's columns, and its rows from codes, all of them categories. Bins become their
// representatives.
std::vector<ColumnHeader> HeadersOf(const Schema& schema);
Batch DecodeTable(const Schema& schema, const CodeTable& codes);

// As DecodeTable, but bins become values drawn from them: rows first_row, first_row + 1, … of the sample of `seed`.
Batch DecodeSample(const Schema& schema, const CodeTable& codes, std::uint64_t seed, std::uint64_t first_row);

}  // namespace dtf
