#include "io/quoted_record.h"

#include <csv.h>

#include <new>

#include "dtf/error.h"

namespace dtf {

// What the C library's callbacks see. They must not throw through it, so a failed allocation is only noted.
struct QuotedRecord::Parser {
  struct Extent {
    std::size_t size;
    bool is_missing;
  };

  explicit Parser(char delimiter) {
    if (csv_init(&csv, CSV_STRICT | CSV_STRICT_FINI | CSV_EMPTY_IS_NULL | CSV_REPALL_NL) != 0) throw std::bad_alloc();
    csv_set_delim(&csv, static_cast<unsigned char>(delimiter));
    csv_set_space_func(&csv, [](unsigned char) { return 0; });  // else it would trim blanks
    csv_set_blk_size(&csv, std::size_t{1} << 12);
  }
  ~Parser() { csv_free(&csv); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  void Clear() {
    text.clear();
    extents.clear();
    is_complete = false;
  }

  static void OnField(void* data, std::size_t size, void* self) noexcept {
    auto& parser = *static_cast<Parser*>(self);
    try {
      if (size > 0) parser.text.append(static_cast<const char*>(data), size);
      parser.extents.push_back({size, data == nullptr});
    } catch (const std::bad_alloc&) {
      parser.is_out_of_memory = true;
    }
  }

  static void OnRow(int, void* self) noexcept { static_cast<Parser*>(self)->is_complete = true; }

  csv_parser csv;
  std::string text;  // of all fields, one after the other
  std::vector<Extent> extents;
  bool is_complete = true;
  bool is_out_of_memory = false;
};

QuotedRecord::QuotedRecord(char delimiter) : parser_(std::make_unique<Parser>(delimiter)) {}
QuotedRecord::~QuotedRecord() = default;
QuotedRecord::QuotedRecord(QuotedRecord&&) noexcept = default;
QuotedRecord& QuotedRecord::operator=(QuotedRecord&&) noexcept = default;

QuotedRecord::State QuotedRecord::AddLine(const Line& line) {
  if (parser_->is_complete) {
    parser_->Clear();
    first_line_ = quote_line_ = line.number;
  }
  const std::size_t fields_before = parser_->extents.size();
  State state = Feed(line.text);
  // Any cell that is open now, other than the one that was open before, was opened on this line.
  if (parser_->extents.size() != fields_before) quote_line_ = line.number;
  if (state != State::kOpen) return state;
  // The bytes of the line's end go in one by one: outside quotes the first of them completes the record, and the LF of
  // a CRLF would be taken for another row.
  for (std::size_t i = 0; i < line.end.size() && !parser_->is_complete; ++i) state = Feed(line.end.substr(i, 1));
  if (line.end.empty()) {
    // The end of the text ends the record too, unless inside quotes.
    state = Feed("\n");
  }
  return state;
}

QuotedRecord::State QuotedRecord::Feed(std::string_view bytes) {
  const std::size_t size =
      csv_parse(&parser_->csv, bytes.data(), bytes.size(), Parser::OnField, Parser::OnRow, parser_.get());
  if (parser_->is_out_of_memory) throw std::bad_alloc();
  if (size == bytes.size()) return parser_->is_complete ? State::kComplete : State::kOpen;
  if (csv_error(&parser_->csv) != CSV_EPARSE) throw std::bad_alloc();
  return bytes[size] == '"' ? State::kQuoteInside : State::kTextAfterQuote;
}

const std::vector<QuotedRecord::Field>& QuotedRecord::fields() {
  fields_.clear();
  std::size_t at = 0;
  for (const Parser::Extent& extent : parser_->extents) {
    fields_.push_back({std::string_view(parser_->text).substr(at, extent.size), extent.is_missing});
    at += extent.size;
  }
  return fields_;
}

}  // namespace dtf
