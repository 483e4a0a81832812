#include "io/csv_writer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "dtf/error.h"

namespace dtf {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::size_t kSlack = 16;  // short cells are copied as this many bytes, which is faster than counting them
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

void AppendQuoted(std::string_view text, char delimiter, std::string& out) {
  // A byte order mark would be taken for the file's when it comes first.
  const bool quote = text.empty() || text.substr(0, kByteOrderMark.size()) == kByteOrderMark ||
                     std::any_of(text.begin(), text.end(),
                                 [&](char c) { return c == delimiter || c == '"' || c == '\n' || c == '\r'; });
  if (!quote) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

CsvWriter::CsvWriter(std::unique_ptr<ByteSink> sink, char delimiter, bool header,
                     const std::vector<ColumnHeader>& columns)
    : sink_(std::move(sink)), delimiter_(delimiter), columns_(columns.size()), buffer_(kBufferBytes + kSlack) {
  if (columns.empty()) throw Error(ErrorKind::kUsage, "a table without columns cannot be written");
  if (!header) return;
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) line += delimiter_;
    AppendQuoted(columns[i].name, delimiter_, line);
  }
  line += '\n';
  buffer_.resize(std::max(buffer_.size(), line.size() + kSlack));
  used_ = line.copy(buffer_.data(), line.size());
}

void CsvWriter::Write(const Batch& batch) {
  if (!has_epoch_ || batch.epoch != epoch_) {
    columns_.assign(columns_.size(), {});
    epoch_ = batch.epoch;
    has_epoch_ = true;
  }
  std::vector<const Code*> cells;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    Extend(columns_[i], i + 1 < columns_.size() ? delimiter_ : '\n', batch.columns[i].dictionary);
    cells.push_back(batch.columns[i].cells.data());
  }
  for (std::size_t row = 0; row < batch.rows; ++row) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      // kMissingCell + 1 is 0, the entry of the missing cell.
      AppendCell(columns_[i], static_cast<Code>(cells[i][row] + 1));
    }
  }
  Flush();
}

void CsvWriter::Extend(CellTexts& texts, char separator, const std::vector<std::string>& dictionary) {
  std::string& bytes = texts.bytes;
  if (texts.offsets.empty()) {
    bytes = separator;
    texts.offsets = {0, 1};
  } else {
    bytes.resize(bytes.size() - kSlack);
  }
  for (std::size_t i = texts.offsets.size() - 2; i < dictionary.size(); ++i) {
    AppendQuoted(dictionary[i], delimiter_, bytes);
    bytes += separator;
    texts.offsets.push_back(bytes.size());
  }
  bytes.append(kSlack, '\0');
}

void CsvWriter::AppendCell(const CellTexts& texts, std::size_t entry) {
  const std::uint64_t begin = texts.offsets[entry];
  const std::size_t size = texts.offsets[entry + 1] - begin;
  if (buffer_.size() - used_ < size + kSlack) {
    Flush();
    if (buffer_.size() < size + kSlack) buffer_.resize(size + kSlack);
  }
  const char* from = texts.bytes.data() + begin;
  std::memcpy(buffer_.data() + used_, from, kSlack);
  if (size > kSlack) std::memcpy(buffer_.data() + used_, from, size);
  used_ += size;
}

void CsvWriter::Flush() {
  if (used_ > 0) sink_->Write({buffer_.data(), used_});
  used_ = 0;
}

void CsvWriter::Finish() {
  Flush();
  sink_->Finish();
}

}  // namespace dtf
