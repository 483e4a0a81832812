#include "io/csv_reader.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dtf/error.h"
#include "io/choose_columns.h"
#include "io/file_format.h"

namespace dtf {
namespace {

// The limit of a quoted record, so that a quote that is never closed does not fill the memory.
constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 30;

template <typename Visit>
void SplitPlain(std::string_view text, char delimiter, const Visit& visit) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    const char* const start = at;
    while (at != end && *at != delimiter) ++at;
    visit(std::string_view(start, static_cast<std::size_t>(at - start)));
    if (at == end) return;
    ++at;
  }
}

// If a file with this beginning is no UTF-8 text: what it is, and how to make it one. None for text.
struct NoText {
  std::string what;
  std::string way_out;
};
std::optional<NoText> RecogniseNoText(std::string_view start) {
  using std::string_view_literals::operator""sv;
  const auto by = [](const std::string& program) { return "make text of it first, for example by " + program; };
  const std::string convert = by("iconv -f utf-16 -t utf-8");
  if (start.starts_with("PAR1\x15"sv))
    return NoText{"holds Parquet data", "it has to be a file whose name ends in .parquet"};
  if (start.starts_with("ARROW1\0\0"sv))
    return NoText{"holds Arrow data", "it has to be a file whose name ends in .arrow"};
  if (start.starts_with("\xFF\xFE"sv) || start.starts_with("\xFE\xFF"sv)) return NoText{"is UTF-16", convert};
  const auto is_nul = [&](std::size_t byte) { return start[byte] == '\0'; };
  if (start.size() >= 4 && is_nul(0) != is_nul(1) && is_nul(0) == is_nul(2) && is_nul(1) == is_nul(3)) {
    return NoText{"seems to be UTF-16", convert};
  }
  if (start.starts_with("\x28\xB5\x2F\xFD"sv)) return NoText{"is compressed by zstd", by("zstd -dc")};
  if (start.starts_with("\xFD\x37zXZ\0"sv)) return NoText{"is compressed by xz", by("xz -dc")};
  if (start.starts_with("BZh"sv) && start.ends_with("1AY&SY"sv)) {
    return NoText{"is compressed by bzip2", by("bzip2 -dc")};
  }
  if (start.starts_with("PK\x03\x04"sv)) return NoText{"is a zip archive", by("unzip -p")};
  return std::nullopt;
}

std::string Count(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

CsvReader::CsvReader(std::unique_ptr<ByteSource> source, char delimiter, const ReadOptions& options,
                     std::size_t buffer_bytes)
    : delimiter_(delimiter), has_header_(options.header), lines_(std::move(source), buffer_bytes), quoted_(delimiter) {
  CheckStart();
  FirstRecord first = ReadFirstRecord();
  TakeHeader(first, options);
  if (!has_header_) first_row_ = std::move(first);
}

// Skips a byte order mark, and refuses what is no text at all.
void CsvReader::CheckStart() {
  constexpr std::size_t kLongestMark = 10;
  if (const auto no_text = RecogniseNoText(lines_.Peek(kLongestMark))) {
    throw Error(ErrorKind::kInput, source() + " " + no_text->what + ", no text in UTF-8: " + no_text->way_out);
  }
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (lines_.Peek(kByteOrderMark.size()) == kByteOrderMark) lines_.Skip(kByteOrderMark.size());
  if (lines_.Peek(1).empty()) throw Error(ErrorKind::kInput, source() + " is empty");
}

CsvReader::FirstRecord CsvReader::ReadFirstRecord() {
  FirstRecord first;
  Line line;
  while (lines_.Next(line)) {
    if (line.text.empty()) {
      ++first.blank_lines;
      continue;
    }
    first.line = line.number;
    const auto add = [&](std::string_view text, bool is_missing) {
      if (first.cells.size() == kMaxColumns) {
        throw Error(ErrorKind::kInput, source() + ", line " + std::to_string(first.line) + ": more than " +
                                           std::to_string(kMaxColumns) + " columns");
      }
      first.cells.push_back(is_missing ? std::nullopt : std::optional<std::string>(text));
    };
    if (line.has_quote) {
      for (const QuotedRecord::Field& field : ReadQuoted(line)) add(field.text, field.is_missing);
    } else {
      SplitPlain(line.text, delimiter_, [&](std::string_view text) { add(text, text.empty()); });
    }
    return first;
  }
  if (has_header_) throw Error(ErrorKind::kInput, source() + " has no header, only blank lines");
  // Without header this can only be a table of one column, in which all cells are missing.
  first.line = first.blank_lines--;
  first.cells.emplace_back();
  return first;
}

void CsvReader::TakeHeader(const FirstRecord& record, const ReadOptions& options) {
  for (std::size_t i = 0; i < record.cells.size(); ++i) {
    names_.push_back(has_header_ ? record.cells[i].value_or("") : "c" + std::to_string(i + 1));
  }
  CheckNames(source() + ", line " + std::to_string(record.line), names_);
  const std::vector<std::size_t> chosen = ChooseColumns(source(), names_, options);
  targets_.assign(names_.size(), kDropped);
  std::vector<ColumnHeader> headers;
  for (const std::size_t column : chosen) {
    targets_[column] = static_cast<std::uint32_t>(headers.size());
    headers.push_back({.name = names_[column]});
  }
  builder_ = BatchBuilder(source(), std::move(headers), ParseMarkers(source(), names_, options.missing));
}

bool CsvReader::Next(Batch& batch, std::size_t max_rows) {
  batch.source = source();
  builder_.Begin(batch, records_);
  while (batch.rows < max_rows && NextRow(batch)) {
  }
  return batch.rows > 0;
}

bool CsvReader::NextRow(Batch& batch) {
  if (first_row_) {
    TakeFirstRow(batch);
    return true;
  }
  Line line;
  do {
    if (!lines_.Next(line)) return false;
  } while (line.text.empty() && names_.size() > 1);
  if (line.has_quote) {
    AddRow(batch, ReadQuoted(line), line.number);
  } else if (line.text.empty()) {
    AddMissingRow(batch, line.number);
  } else {
    AddPlainRow(batch, line);
  }
  return true;
}

// In a table without header, whether blank lines before the first row are rows depends on the number of columns, which
// that row tells.
void CsvReader::TakeFirstRow(Batch& batch) {
  if (names_.size() == 1 && first_row_->blank_lines > 0) {
    AddMissingRow(batch, first_row_->line - first_row_->blank_lines);
    --first_row_->blank_lines;
    return;
  }
  const FirstRecord row = std::move(*first_row_);
  first_row_.reset();
  Fields fields;
  for (const std::optional<std::string>& cell : row.cells) {
    fields.push_back({cell ? std::string_view(*cell) : "", !cell});
  }
  AddRow(batch, fields, row.line);
}

// For lines without quotes, which most are: they need no parser.
void CsvReader::AddPlainRow(Batch& batch, const Line& line) {
  const std::size_t width = targets_.size();
  std::size_t field = 0;
  SplitPlain(line.text, delimiter_, [&](std::string_view text) {
    const std::uint32_t target = field < width ? targets_[field] : kDropped;
    ++field;
    if (target == kDropped) return;
    if (text.empty()) {
      builder_.AddMissing(target);
    } else {
      builder_.AddText(target, text, line.number);
    }
  });
  EndRow(batch, line.number, field);
}

void CsvReader::AddRow(Batch& batch, const Fields& fields, std::uint64_t line) {
  if (fields.size() != targets_.size()) ThrowWrongWidth(line, fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (targets_[i] == kDropped) continue;
    if (fields[i].is_missing) {
      builder_.AddMissing(targets_[i]);
    } else {
      builder_.AddText(targets_[i], fields[i].text, line);
    }
  }
  EndRow(batch, line, fields.size());
}

void CsvReader::AddMissingRow(Batch& batch, std::uint64_t line) {
  builder_.AddMissing(0);
  EndRow(batch, line, 1);
}

void CsvReader::EndRow(Batch& batch, std::uint64_t line, std::size_t fields) {
  if (fields != targets_.size()) ThrowWrongWidth(line, fields);
  batch.lines.push_back(line);
  ++batch.rows;
  ++records_;
}

const CsvReader::Fields& CsvReader::ReadQuoted(Line line) {
  std::size_t bytes = 0;
  while (true) {
    const QuotedRecord::State state = quoted_.AddLine(line);
    if (state == QuotedRecord::State::kComplete) return quoted_.fields();
    if (state != QuotedRecord::State::kOpen) ThrowBadQuote(state, line.number);
    bytes += line.text.size() + line.end.size();
    if (bytes > kMaxRecordBytes || !lines_.Next(line)) ThrowUnclosed();
  }
}

void CsvReader::ThrowUnclosed() {
  throw Error(ErrorKind::kInput, source() + DescribeLine(quoted_.quote_line()) + ": the quote that opens cell " +
                                     std::to_string(quoted_.fields().size() + 1) + " is never closed");
}

void CsvReader::ThrowBadQuote(QuotedRecord::State state, std::uint64_t line) {
  std::string fault =
      "a quote inside a cell that does not start with one; put the cell in quotes and double those in it";
  if (state == QuotedRecord::State::kTextAfterQuote) {
    fault = "text after the closing quote of a cell; a quote that belongs to the cell has to be doubled";
    if (quoted_.quote_line() != line)
      fault += " (the cell starts on line " + std::to_string(quoted_.quote_line()) + ")";
  }
  const std::size_t cell = quoted_.fields().size();
  const bool is_named = cell < names_.size();
  throw Error(ErrorKind::kInput, source() + DescribeLine(line) + ", " +
                                     (is_named ? "column `" + names_[cell] + "`" : "cell " + std::to_string(cell + 1)) +
                                     ": " + fault);
}

void CsvReader::ThrowWrongWidth(std::uint64_t line, std::size_t fields) const {
  std::string message = source() + DescribeLine(line) + ": " + Count(fields, "field") + ", but the " +
                        (has_header_ ? "header has " : "first row has ") + Count(targets_.size(), "column");
  if (fields > targets_.size()) message += "; a cell that holds the delimiter has to be in quotes";
  throw Error(ErrorKind::kInput, message);
}

std::string CsvReader::DescribeLine(std::uint64_t line) const {
  std::string text = ", line " + std::to_string(line);
  if (!names_.empty()) text += " (record " + std::to_string(records_ + 1) + ")";
  return text;
}

}  // namespace dtf
