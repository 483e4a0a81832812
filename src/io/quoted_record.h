// Strict parsing of the records that have quotes in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/line_reader.h"

namespace dtf {

// One record at a time, fed line by line until it is complete. Quotes are those of RFC 4180: a cell is quoted as a
// whole or not at all, a quote in it is doubled, and line breaks in it stay as they are, byte for byte.
class QuotedRecord {
 public:
  struct Field {
    std::string_view text;    // valid until the next AddLine
    bool is_missing = false;  // empty and not quoted
  };

  enum class State {
    kOpen,            // the line ended inside quotes: more lines belong to the record
    kComplete,        //
    kQuoteInside,     // a quote in a cell that does not start with one
    kTextAfterQuote,  // something other than a delimiter follows a closing quote
  };

  explicit QuotedRecord(char delimiter);
  ~QuotedRecord();
  QuotedRecord(QuotedRecord&&) noexcept;
  QuotedRecord& operator=(QuotedRecord&&) noexcept;

  // After anything but kOpen, the next line starts a new record (none may follow a fault).
  State AddLine(const Line& line);

  // The complete fields so far: all of the record when AddLine returned kComplete.
  const std::vector<Field>& fields();

  // Line of the record's start, and of the quote that opened the cell which is not complete (in state kOpen or
  // kTextAfterQuote).
  std::uint64_t first_line() const { return first_line_; }
  std::uint64_t quote_line() const { return quote_line_; }

 private:
  struct Parser;

  State Feed(std::string_view bytes);

  std::unique_ptr<Parser> parser_;
  std::vector<Field> fields_;
  std::uint64_t first_line_ = 0;
  std::uint64_t quote_line_ = 0;
};

}  // namespace dtf
