#include "io/arrow_writer.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <new>
#include <utility>

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/io/buffered.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/writer.h>
#include <arrow/record_batch.h>
#include <arrow/scalar.h>
#include <arrow/type.h>
#include <arrow/util/compression.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include "base/output_file.h"
#include "dtf/error.h"
#include "io/arrow_types.h"

namespace dtf {
namespace {

constexpr std::size_t kRowsPerWrite = std::size_t{1} << 16;
constexpr std::int64_t kBufferBytes = std::int64_t{1} << 20;

// An OutputFile as a stream of Arrow's. Its errors are kept, so that they reach the caller unchanged.
class FileStream : public arrow::io::OutputStream {
 public:
  explicit FileStream(const std::string& path) : file_(path) {}

  arrow::Status Write(const void* data, std::int64_t size) override {
    if (is_abandoned_) return arrow::Status::OK();
    try {
      file_.Write({static_cast<const char*>(data), static_cast<std::size_t>(size)});
    } catch (const Error& error) {
      error_ = std::current_exception();
      return arrow::Status::IOError(error.what());
    }
    position_ += size;
    return arrow::Status::OK();
  }
  using OutputStream::Write;

  arrow::Result<std::int64_t> Tell() const override { return position_; }
  arrow::Status Close() override { return arrow::Status::OK(); }
  bool closed() const override { return false; }

  void Commit() { file_.Commit(); }
  void Abandon() { is_abandoned_ = true; }  // ignore what the libraries' destructors still write
  void RethrowError() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  OutputFile file_;
  std::int64_t position_ = 0;
  std::exception_ptr error_;
  bool is_abandoned_ = false;
};

// One of the formats.
class BatchSink {
 public:
  virtual ~BatchSink() = default;
  virtual arrow::Status Write(const arrow::RecordBatch& batch) = 0;
  virtual arrow::Status Close() = 0;
};

class ParquetSink : public BatchSink {
 public:
  static arrow::Result<std::unique_ptr<BatchSink>> Open(std::shared_ptr<arrow::io::OutputStream> out,
                                                        const arrow::Schema& schema) {
    parquet::WriterProperties::Builder properties;
    if (arrow::util::Codec::IsAvailable(arrow::Compression::SNAPPY)) {
      properties.compression(arrow::Compression::SNAPPY);
    }
    parquet::ArrowWriterProperties::Builder arrow_properties;
    arrow_properties.store_schema();  // so that types Parquet does not have come back
    auto sink = std::make_unique<ParquetSink>();
    ARROW_ASSIGN_OR_RAISE(sink->writer_,
                          parquet::arrow::FileWriter::Open(schema, arrow::default_memory_pool(), std::move(out),
                                                           properties.build(), arrow_properties.build()));
    return sink;
  }

  arrow::Status Write(const arrow::RecordBatch& batch) override { return writer_->WriteRecordBatch(batch); }
  arrow::Status Close() override { return writer_->Close(); }

 private:
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
};

class IpcSink : public BatchSink {
 public:
  static arrow::Result<std::unique_ptr<BatchSink>> Open(std::shared_ptr<arrow::io::OutputStream> out,
                                                        std::shared_ptr<arrow::Schema> schema) {
    auto sink = std::make_unique<IpcSink>();
    ARROW_ASSIGN_OR_RAISE(sink->writer_, arrow::ipc::MakeFileWriter(std::move(out), std::move(schema)));
    return sink;
  }

  arrow::Status Write(const arrow::RecordBatch& batch) override { return writer_->WriteRecordBatch(batch); }
  arrow::Status Close() override { return writer_->Close(); }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
};

class ArrowTableWriter : public TableWriter {
 public:
  ArrowTableWriter(const std::string& path, FileFormat format, const std::vector<ColumnHeader>& columns)
      : path_(path), file_(std::make_shared<FileStream>(path)), values_(columns.size()) {
    if (columns.empty()) throw Error(ErrorKind::kUsage, "a table without columns cannot be written");
    arrow::FieldVector fields;
    for (const ColumnHeader& column : columns) fields.push_back(arrow::field(column.name, TypeNamed(column.type)));
    schema_ = arrow::schema(std::move(fields));
    Guard([&]() -> arrow::Status {
      ARROW_ASSIGN_OR_RAISE(buffered_,
                            arrow::io::BufferedOutputStream::Create(kBufferBytes, arrow::default_memory_pool(), file_));
      if (format == FileFormat::kParquet) {
        ARROW_ASSIGN_OR_RAISE(sink_, ParquetSink::Open(buffered_, *schema_));
      } else {
        ARROW_ASSIGN_OR_RAISE(sink_, IpcSink::Open(buffered_, schema_));
      }
      return arrow::Status::OK();
    });
  }

  ~ArrowTableWriter() override { file_->Abandon(); }

  void Write(const Batch& batch) override {
    if (!has_epoch_ || batch.epoch != epoch_) {
      values_.assign(values_.size(), {});
      epoch_ = batch.epoch;
      has_epoch_ = true;
    }
    for (std::size_t i = 0; i < values_.size(); ++i) ParseNewTexts(i, batch.columns[i].dictionary);
    for (std::size_t begin = 0; begin < batch.rows; begin += kRowsPerWrite) {
      const std::size_t end = std::min(batch.rows, begin + kRowsPerWrite);
      Guard([&]() -> arrow::Status {
        arrow::ArrayVector arrays;
        for (std::size_t i = 0; i < values_.size(); ++i) {
          ARROW_ASSIGN_OR_RAISE(arrays.emplace_back(), MakeArray(i, batch.columns[i], begin, end));
        }
        return sink_->Write(*arrow::RecordBatch::Make(schema_, static_cast<std::int64_t>(end - begin), arrays));
      });
    }
  }

  void Finish() override {
    Guard([&]() -> arrow::Status {
      ARROW_RETURN_NOT_OK(sink_->Close());
      return buffered_->Flush();
    });
    file_->Commit();
  }

 private:
  template <typename Call>
  void Guard(const Call& call) {
    std::string reason;
    try {
      const arrow::Status status = call();
      if (status.ok()) return;
      if (status.IsOutOfMemory()) throw std::bad_alloc();
      reason = status.message();
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const Error&) {
      throw;
    } catch (const std::exception& failure) {
      reason = failure.what();
    }
    file_->RethrowError();
    throw Error(ErrorKind::kOther,
                "cannot write " + path_ + ": " + reason.substr(0, std::min(reason.find('\n'), reason.size())));
  }

  const std::shared_ptr<arrow::DataType>& TypeOf(std::size_t column) const {
    return schema_->field(static_cast<int>(column))->type();
  }

  // Texts of text columns are taken from the dictionary itself.
  void ParseNewTexts(std::size_t column, const std::vector<std::string>& dictionary) {
    if (TypeOf(column)->id() == arrow::Type::STRING) return;
    auto& values = values_[column];
    for (std::size_t i = values.size(); i < dictionary.size(); ++i) {
      values.push_back(ParseScalar(TypeOf(column), dictionary[i]));
    }
  }

  arrow::Result<std::shared_ptr<arrow::Array>> MakeArray(std::size_t column, const TextColumn& texts, std::size_t begin,
                                                         std::size_t end) const {
    const std::shared_ptr<arrow::DataType>& type = TypeOf(column);
    ARROW_ASSIGN_OR_RAISE(const std::unique_ptr<arrow::ArrayBuilder> builder, arrow::MakeBuilder(type));
    auto* const strings =
        type->id() == arrow::Type::STRING ? static_cast<arrow::StringBuilder*>(builder.get()) : nullptr;
    ARROW_RETURN_NOT_OK(builder->Reserve(static_cast<std::int64_t>(end - begin)));
    for (std::size_t row = begin; row < end; ++row) {
      const Code code = texts.cells[row];
      if (code == kMissingCell) {
        ARROW_RETURN_NOT_OK(builder->AppendNull());
      } else if (strings != nullptr) {
        ARROW_RETURN_NOT_OK(strings->Append(texts.dictionary[code]));
      } else {
        const auto& value = values_[column][code];
        if (value == nullptr) ThrowUnfit(column, texts.dictionary[code]);
        ARROW_RETURN_NOT_OK(builder->AppendScalar(*value));
      }
    }
    return builder->Finish();
  }

  [[noreturn]] void ThrowUnfit(std::size_t column, const std::string& text) const {
    const arrow::Field& field = *schema_->field(static_cast<int>(column));
    throw Error(ErrorKind::kOther, "cannot write " + path_ + ": column `" + field.name() + "` has the type " +
                                       field.type()->ToString() + ", but a cell is `" + text + "`");
  }

  std::string path_;
  std::shared_ptr<FileStream> file_;
  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<arrow::io::BufferedOutputStream> buffered_;
  std::unique_ptr<BatchSink> sink_;
  // Of each column that is not text, its dictionary's values; null where a text stands for none.
  std::vector<std::vector<std::shared_ptr<arrow::Scalar>>> values_;
  bool has_epoch_ = false;
  std::uint64_t epoch_ = 0;
};

}  // namespace

std::unique_ptr<TableWriter> CreateArrowTable(const std::string& path, FileFormat format,
                                              const std::vector<ColumnHeader>& columns) {
  return std::make_unique<ArrowTableWriter>(path, format, columns);
}

}  // namespace dtf
