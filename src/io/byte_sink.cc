#include "io/byte_sink.h"

#include <utility>

#include "base/output_file.h"
#include "io/file_format.h"
#include "io/gzip.h"

namespace dtf {
namespace {

class FileSink : public ByteSink {
 public:
  explicit FileSink(const std::string& path) : file_(path) {}

  void Write(std::string_view bytes) override { file_.Write(bytes); }
  void Finish() override { file_.Commit(); }

 private:
  OutputFile file_;
};

}  // namespace

std::unique_ptr<ByteSink> CreateText(const std::string& path) {
  std::unique_ptr<ByteSink> sink = std::make_unique<FileSink>(path);
  return NamesGzip(path) ? MakeGzip(std::move(sink)) : std::move(sink);
}

}  // namespace dtf
