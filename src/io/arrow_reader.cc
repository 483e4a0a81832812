#include "io/arrow_reader.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/exception.h>
#include <parquet/properties.h>

#include "dtf/error.h"
#include "io/arrow_types.h"
#include "io/batch_builder.h"
#include "io/byte_source.h"
#include "io/choose_columns.h"

namespace dtf {
namespace {

constexpr std::size_t kRowsPerRead = std::size_t{1} << 16;
constexpr std::size_t kCellsPerRead = std::size_t{1} << 22;

// ---------------------------------------------------------------- Failures

[[noreturn]] void ThrowDamaged(const std::string& source, const std::string& format, const std::string& reason) {
  throw Error(ErrorKind::kInput, source + " cannot be read as " + format + ": " +
                                     reason.substr(0, std::min(reason.find('\n'), reason.size())));
}

// Whether a Status that tells of no memory ("malloc of size 65536 failed") is about a buffer of ordinary size.
bool IsAboutLittle(const std::string& message) {
  constexpr std::uint64_t kOrdinary = std::uint64_t{1} << 26;
  const std::size_t digits = std::min(message.find_first_of("0123456789"), message.size());
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(message.data() + digits, message.data() + message.size(), bytes);
  return error == std::errc() && bytes <= kOrdinary;
}

// Runs `call`. Its failures (a Status, or what the Parquet library throws) are taken for faults of the file; so is a
// buffer too large for the memory, as its size comes from the file, unless it is of ordinary size.
template <typename Call>
auto Guard(const std::string& source, const std::string& format, const Call& call) {
  auto result = [&]() -> decltype(call()) {
    try {
      return call();
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const Error&) {
      throw;
    } catch (const parquet::ParquetStatusException& failure) {
      return failure.status();
    } catch (const std::exception& failure) {
      ThrowDamaged(source, format, failure.what());
    }
  }();
  if (result.status().IsOutOfMemory()) {
    if (IsAboutLittle(result.status().message())) throw std::bad_alloc();
    ThrowDamaged(source, format,
                 "it is damaged, or its record batches are too large for the memory there is (" +
                     result.status().message() + ")");
  }
  if (!result.ok()) ThrowDamaged(source, format, result.status().message());
  return std::move(result).ValueUnsafe();
}

// ---------------------------------------------------------------- Files

using BatchPointer = std::shared_ptr<arrow::RecordBatch>;

// One of the formats. ReadBatch gives the chosen columns of the next rows, nothing at the end.
class BatchSource {
 public:
  virtual ~BatchSource() = default;
  virtual std::shared_ptr<arrow::Schema> schema() const = 0;
  virtual arrow::Status Choose(const std::vector<std::size_t>& columns) = 0;
  virtual arrow::Result<BatchPointer> ReadBatch() = 0;
};

class ParquetSource : public BatchSource {
 public:
  static arrow::Result<std::unique_ptr<BatchSource>> Open(const std::string& path) {
    auto source = std::make_unique<ParquetSource>();
    ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::ReadableFile::Open(path));
    parquet::ReaderProperties properties;
    properties.enable_buffered_stream();  // else it would hold all of a row group, of whatever size
    parquet::arrow::FileReaderBuilder builder;
    ARROW_RETURN_NOT_OK(builder.Open(std::move(file), properties));
    parquet::ArrowReaderProperties arrow_properties;
    arrow_properties.set_pre_buffer(false);
    arrow_properties.set_batch_size(static_cast<std::int64_t>(kRowsPerRead));
    builder.properties(arrow_properties);
    ARROW_RETURN_NOT_OK(builder.Build(&source->file_));
    ARROW_RETURN_NOT_OK(source->file_->GetSchema(&source->schema_));
    return source;
  }

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  arrow::Status Choose(const std::vector<std::size_t>& columns) override {
    std::vector<int> leaves;  // Parquet counts the columns inside nested ones
    for (const std::size_t column : columns) leaves.push_back(file_->manifest().schema_fields[column].column_index);
    std::vector<int> row_groups(static_cast<std::size_t>(file_->num_row_groups()));
    for (std::size_t i = 0; i < row_groups.size(); ++i) row_groups[i] = static_cast<int>(i);
    const std::size_t rows = std::clamp<std::size_t>(kCellsPerRead / columns.size(), 1, kRowsPerRead);
    file_->set_batch_size(static_cast<std::int64_t>(rows));
    ARROW_ASSIGN_OR_RAISE(reader_, file_->GetRecordBatchReader(row_groups, leaves));
    return arrow::Status::OK();
  }

  arrow::Result<BatchPointer> ReadBatch() override { return reader_->Next(); }

 private:
  std::unique_ptr<parquet::arrow::FileReader> file_;
  std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<arrow::RecordBatchReader> reader_;
};

// Both of IPC's formats: with an index at the end ("file"), or without ("stream").
class IpcSource : public BatchSource {
 public:
  static arrow::Result<std::unique_ptr<BatchSource>> Open(const std::string& path, bool is_stream) {
    auto source = std::make_unique<IpcSource>();
    source->path_ = path;
    source->is_stream_ = is_stream;
    ARROW_RETURN_NOT_OK(source->Reopen(arrow::ipc::IpcReadOptions::Defaults()));
    source->schema_ = is_stream ? source->stream_->schema() : source->file_->schema();
    return source;
  }

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  arrow::Status Choose(const std::vector<std::size_t>& columns) override {
    auto options = arrow::ipc::IpcReadOptions::Defaults();
    for (const std::size_t column : columns) options.included_fields.push_back(static_cast<int>(column));
    return Reopen(options);
  }

  arrow::Result<BatchPointer> ReadBatch() override {
    BatchPointer batch;
    if (is_stream_) {
      if (is_over_) return batch;
      ARROW_ASSIGN_OR_RAISE(const std::int64_t begin, input_->Tell());
      ARROW_RETURN_NOT_OK(stream_->ReadNext(&batch));
      is_over_ = batch == nullptr;
      if (is_over_) ARROW_RETURN_NOT_OK(CheckMark(begin));
    } else if (next_ < file_->num_record_batches()) {
      ARROW_ASSIGN_OR_RAISE(batch, file_->ReadRecordBatch(next_++));
    }
    // The libraries take the content of these formats as it is, so it is validated before use.
    if (batch != nullptr) ARROW_RETURN_NOT_OK(batch->ValidateFull());
    return batch;
  }

 private:
  arrow::Status Reopen(const arrow::ipc::IpcReadOptions& options) {
    ARROW_ASSIGN_OR_RAISE(input_, arrow::io::ReadableFile::Open(path_));
    if (is_stream_) {
      ARROW_ASSIGN_OR_RAISE(stream_, arrow::ipc::RecordBatchStreamReader::Open(input_, options));
    } else {
      ARROW_ASSIGN_OR_RAISE(file_, arrow::ipc::RecordBatchFileReader::Open(input_, options));
    }
    return arrow::Status::OK();
  }

  // A stream that was read to its end, from `begin` on, must have ended with its mark: a length of 0. The format lets a
  // writer leave it out, but then nothing would tell the table from one that was cut off between two batches.
  arrow::Status CheckMark(std::int64_t begin) const {
    constexpr std::string_view kMark("\xFF\xFF\xFF\xFF\0\0\0\0", 8);
    constexpr std::size_t kOldMark = 4;  // without the first half, before version 0.15 of Arrow
    ARROW_ASSIGN_OR_RAISE(const std::int64_t end, input_->Tell());
    const std::int64_t length = std::min<std::int64_t>(end - begin, kMark.size());
    ARROW_ASSIGN_OR_RAISE(const auto last, input_->ReadAt(end - length, length));
    const std::string_view bytes(*last);
    if (bytes == kMark || bytes == kMark.substr(kOldMark)) return arrow::Status::OK();
    return arrow::Status::Invalid(
        "its end is missing: it was cut off, or written without the end-of-stream mark (close the writer)");
  }

  std::string path_;
  bool is_stream_ = false;
  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<arrow::io::ReadableFile> input_;
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> file_;
  std::shared_ptr<arrow::ipc::RecordBatchStreamReader> stream_;
  bool is_over_ = false;  // stream_, that is
  int next_ = 0;          // record batch of file_
};

// ---------------------------------------------------------------- The table

class ArrowTableReader : public TableReader {
 public:
  ArrowTableReader(const std::string& path, std::string format, std::unique_ptr<BatchSource> batches,
                   const ReadOptions& options)
      : source_(path), format_(std::move(format)), batches_(std::move(batches)) {
    const std::shared_ptr<arrow::Schema> schema = batches_->schema();
    const std::vector<std::string> names = schema->field_names();
    if (names.empty()) throw Error(ErrorKind::kInput, source_ + " has no columns");
    CheckNames(source_, names);
    const std::vector<std::size_t> chosen = ChooseColumns(source_, names, options);
    std::vector<ColumnHeader> headers;
    for (const std::size_t column : chosen) headers.push_back(HeaderOf(*schema->field(static_cast<int>(column))));
    Guard(source_, format_, [&]() -> arrow::Result<bool> {
      ARROW_RETURN_NOT_OK(batches_->Choose(chosen));
      return true;
    });
    builder_ = BatchBuilder(source_, std::move(headers), ParseMarkers(source_, names, options.missing));
  }

  const std::string& source() const override { return source_; }
  const std::vector<ColumnHeader>& columns() const override { return builder_.columns(); }
  const std::vector<MissingMarker>& missing() const override { return builder_.missing(); }
  bool HasMet(std::size_t marker) const override { return builder_.HasMet(marker); }

  bool Next(Batch& batch, std::size_t max_rows) override {
    batch.source = source_;
    builder_.Begin(batch, records_);
    while (batch.rows < max_rows && HaveRows()) {
      const std::int64_t rows =
          std::min(static_cast<std::int64_t>(max_rows - batch.rows), pending_->num_rows() - offset_);
      for (int i = 0; i < pending_->num_columns(); ++i) {
        AddCells(static_cast<std::size_t>(i), *pending_->column(i), offset_, rows);
      }
      offset_ += rows;
      batch.rows += static_cast<std::size_t>(rows);
    }
    records_ += batch.rows;
    return batch.rows > 0;
  }

 private:
  ColumnHeader HeaderOf(const arrow::Field& field) const {
    std::optional<std::string> type = TypeNameOf(*field.type());
    if (!type) {
      throw Error(ErrorKind::kInput, source_ + ", column `" + field.name() + "`: cells of type " +
                                         field.type()->ToString() + " cannot be read; leave the column out (--drop)");
    }
    return {field.name(), *std::move(type)};
  }

  bool HaveRows() {
    while (pending_ == nullptr || offset_ == pending_->num_rows()) {
      pending_ = Guard(source_, format_, [&] { return batches_->ReadBatch(); });
      offset_ = 0;
      if (pending_ == nullptr) return false;
      if (static_cast<std::size_t>(pending_->num_columns()) != columns().size()) {
        ThrowDamaged(source_, format_, "its columns change on the way");
      }
    }
    return true;
  }

  void AddCells(std::size_t column, const arrow::Array& array, std::int64_t begin, std::int64_t rows) {
    if (array.type_id() == arrow::Type::DICTIONARY) {
      AddDictionaryCells(column, static_cast<const arrow::DictionaryArray&>(array), begin, rows);
      return;
    }
    for (std::int64_t row = begin; row < begin + rows; ++row) {
      const std::optional<std::string_view> text = TextAt(array, row, scratch_);
      if (text) {
        builder_.AddText(column, *text);
      } else {
        builder_.AddMissing(column);
      }
    }
  }

  // Each row group may have a dictionary of its own, so that codes are only good for this one array; and only texts
  // that some row has are looked up.
  void AddDictionaryCells(std::size_t column, const arrow::DictionaryArray& array, std::int64_t begin,
                          std::int64_t rows) {
    const arrow::Array& values = *array.dictionary();
    std::vector<Code> codes(static_cast<std::size_t>(values.length()));
    std::vector<bool> is_known(codes.size());
    for (std::int64_t row = begin; row < begin + rows; ++row) {
      if (array.IsNull(row)) {
        builder_.AddMissing(column);
        continue;
      }
      const auto value = static_cast<std::size_t>(array.GetValueIndex(row));
      if (value >= codes.size()) ThrowDamaged(source_, format_, "a code without entry in its dictionary");
      if (!is_known[value]) {
        const std::optional<std::string_view> text = TextAt(values, static_cast<std::int64_t>(value), scratch_);
        codes[value] = text ? builder_.Encode(column, *text) : kMissingCell;
        is_known[value] = true;
      }
      builder_.AddCode(column, codes[value]);
    }
  }

  std::string source_;
  std::string format_;
  std::unique_ptr<BatchSource> batches_;
  BatchBuilder builder_;
  BatchPointer pending_;  // rows from offset_ on are still to be handed out
  std::int64_t offset_ = 0;
  std::size_t records_ = 0;  // rows so far
  std::string scratch_;
};

// The first bytes of the file, after checks whose messages are better than the libraries'.
std::string ReadMagic(const std::string& path, const std::string& format) {
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    throw Error(ErrorKind::kInput, path + ": " + format + " can only be read from a regular file");
  }
  const std::unique_ptr<ByteSource> file = OpenBytes(path);
  std::string magic(6, '\0');
  magic.resize(file->Read(magic.data(), magic.size()));
  if (magic.empty()) throw Error(ErrorKind::kInput, path + " is empty");
  return magic;
}

}  // namespace

std::unique_ptr<TableReader> OpenArrowTable(const std::string& path, FileFormat format, const ReadOptions& options) {
  const std::string name = format == FileFormat::kParquet ? "Parquet" : "Arrow IPC";
  const std::string magic = ReadMagic(path, name);
  std::unique_ptr<BatchSource> batches = Guard(path, name, [&] {
    return format == FileFormat::kParquet ? ParquetSource::Open(path) : IpcSource::Open(path, magic != "ARROW1");
  });
  return std::make_unique<ArrowTableReader>(path, name, std::move(batches), options);
}

}  // namespace dtf
