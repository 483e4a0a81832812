#include "io/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/blocking_io.h"
#include "dtf/error.h"
#include "io/file_format.h"
#include "io/gzip.h"

namespace dtf {
namespace {

[[noreturn]] void ThrowCannotRead(const std::string& name, int error) {
  throw Error(ErrorKind::kInput, "cannot read " + name + ": " + std::generic_category().message(error));
}

class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : name_(SourceName(path)) {
    if (path == "-") {
      descriptor_ = STDIN_FILENO;
      return;
    }
    do {
      descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    } while (descriptor_ < 0 && errno == EINTR);
    if (descriptor_ < 0) ThrowCannotRead(name_, errno);
  }

  ~FileSource() override {
    if (descriptor_ != STDIN_FILENO) close(descriptor_);
  }

  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  const std::string& name() const override { return name_; }

  std::size_t Read(char* data, std::size_t size) override {
    const ssize_t count =
        UntilReady(descriptor_, POLLIN, [&] { return read(descriptor_, data, std::min(size, std::size_t{1} << 30)); });
    if (count < 0) ThrowCannotRead(name_, errno);
    return static_cast<std::size_t>(count);
  }

 private:
  std::string name_;
  int descriptor_;
};

// A source of which some bytes were read ahead.
class PeekedSource : public ByteSource {
 public:
  PeekedSource(std::unique_ptr<ByteSource> source, std::string peeked)
      : source_(std::move(source)), peeked_(std::move(peeked)) {}

  const std::string& name() const override { return source_->name(); }

  std::size_t Read(char* data, std::size_t size) override {
    if (at_ == peeked_.size()) return source_->Read(data, size);
    const std::size_t count = peeked_.copy(data, size, at_);
    at_ += count;
    return count;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string peeked_;
  std::size_t at_ = 0;
};

std::string ReadFirst(ByteSource& source, std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t filled = 0;
  while (filled < size) {
    const std::size_t count = source.Read(bytes.data() + filled, size - filled);
    if (count == 0) break;
    filled += count;
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace

std::string SourceName(const std::string& path) { return path == "-" ? "standard input" : path; }

std::unique_ptr<ByteSource> OpenBytes(const std::string& path) { return std::make_unique<FileSource>(path); }

std::unique_ptr<ByteSource> OpenText(const std::string& path) {
  std::unique_ptr<ByteSource> source = OpenBytes(path);
  std::string first = ReadFirst(*source, 2);
  const bool compressed = first == kGzipMagic;
  if (!compressed && !first.empty() && NamesGzip(path)) {
    throw Error(ErrorKind::kInput, source->name() + " is not a gzip file, although its name ends in .gz");
  }
  source = std::make_unique<PeekedSource>(std::move(source), std::move(first));
  return compressed ? MakeGunzip(std::move(source)) : std::move(source);
}

}  // namespace dtf
