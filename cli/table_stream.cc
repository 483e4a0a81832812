#include "table_stream.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace dtf::cli {

void ForEachBatch(TableReader& reader, const std::function<void(const Batch&)>& take) {
  Batch batch;
  if (!reader.Next(batch, kBatchRows)) {
    batch.source = reader.source();
    batch.columns.resize(reader.columns().size());
    take(batch);
    return;
  }
  do {
    take(batch);
  } while (reader.Next(batch, kBatchRows));
}

OutputTable::OutputTable(std::string path, std::vector<ColumnHeader> headers)
    : path_(std::move(path)), headers_(std::move(headers)) {}

void OutputTable::Write(Batch batch) {
  if (!writer_) writer_ = CreateTable(path_, headers_, WriteOptions());
  batch.first_record = rows_;
  batch.epoch = ++batches_;  // every batch has dictionaries of its own
  writer_->Write(batch);
  rows_ += batch.rows;
}

void OutputTable::Finish() { writer_->Finish(); }

void Transform(TableReader& reader, const std::function<Batch(const Batch&)>& convert, const std::string& path,
               const std::vector<ColumnHeader>& headers) {
  OutputTable output(path, headers);
  ForEachBatch(reader, [&](const Batch& batch) { output.Write(convert(batch)); });
  output.Finish();
}

}  // namespace dtf::cli
