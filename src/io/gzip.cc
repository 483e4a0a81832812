#include "io/gzip.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <arrow/status.h>
#include <arrow/util/compression.h>

#include "dtf/error.h"

namespace dtf {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

constexpr int kLevel = 6;  // as the program gzip; 9, which would be taken otherwise, is several times slower

std::unique_ptr<arrow::util::Codec> MakeCodec() {
  auto codec = arrow::util::Codec::Create(arrow::Compression::GZIP, kLevel);
  if (!codec.ok()) throw Error(ErrorKind::kOther, "gzip is not available: " + codec.status().message());
  return std::move(codec).ValueUnsafe();
}

class Gunzip : public ByteSource {
 public:
  explicit Gunzip(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), codec_(MakeCodec()), input_(kBufferBytes) {
    auto decompressor = codec_->MakeDecompressor();
    if (!decompressor.ok()) throw std::bad_alloc();
    decompressor_ = std::move(decompressor).ValueUnsafe();
  }

  const std::string& name() const override { return source_->name(); }

  std::size_t Read(char* data, std::size_t size) override {
    while (true) {
      if (!in_member_ && !StartMember()) return 0;
      const std::size_t count = Decompress(data, size);
      if (count > 0) return count;
    }
  }

 private:
  // False at the end of the source.
  bool StartMember() {
    if (!HaveInput(kGzipMagic.size()) && begin_ == end_) return false;
    if (std::string_view(input_.data() + begin_, end_ - begin_).substr(0, kGzipMagic.size()) != kGzipMagic) {
      throw Error(ErrorKind::kInput, name() + ": something that is not gzip follows the compressed data");
    }
    if (!decompressor_->Reset().ok()) throw std::bad_alloc();
    in_member_ = true;
    return true;
  }

  std::size_t Decompress(char* data, std::size_t size) {
    const bool more = HaveInput(1);
    const auto result = decompressor_->Decompress(
        static_cast<std::int64_t>(end_ - begin_), reinterpret_cast<const std::uint8_t*>(input_.data() + begin_),
        static_cast<std::int64_t>(size), reinterpret_cast<std::uint8_t*>(data));
    if (result.status().IsOutOfMemory()) throw std::bad_alloc();
    if (!result.ok()) throw Error(ErrorKind::kInput, name() + ": the gzip data is damaged");
    begin_ += static_cast<std::size_t>(result->bytes_read);
    if (decompressor_->IsFinished()) {
      in_member_ = false;
    } else if (!more && result->bytes_written == 0) {
      throw Error(ErrorKind::kInput, name() + ": the gzip data is cut off");
    }
    return static_cast<std::size_t>(result->bytes_written);
  }

  // Whether `size` bytes of input are there, after reading more if needed.
  bool HaveInput(std::size_t size) {
    if (end_ - begin_ >= size) return true;
    std::copy(input_.begin() + begin_, input_.begin() + end_, input_.begin());
    end_ -= std::exchange(begin_, 0);
    while (end_ < size) {
      const std::size_t count = source_->Read(input_.data() + end_, input_.size() - end_);
      if (count == 0) return false;
      end_ += count;
    }
    return true;
  }

  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<arrow::util::Codec> codec_;
  std::shared_ptr<arrow::util::Decompressor> decompressor_;
  std::vector<char> input_;
  std::size_t begin_ = 0;  // of what was read and not yet decompressed
  std::size_t end_ = 0;
  bool in_member_ = false;
};

class Gzip : public ByteSink {
 public:
  explicit Gzip(std::unique_ptr<ByteSink> sink) : sink_(std::move(sink)), codec_(MakeCodec()), output_(kBufferBytes) {
    auto compressor = codec_->MakeCompressor();
    if (!compressor.ok()) throw std::bad_alloc();
    compressor_ = std::move(compressor).ValueUnsafe();
  }

  void Write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const auto result =
          compressor_->Compress(static_cast<std::int64_t>(bytes.size()),
                                reinterpret_cast<const std::uint8_t*>(bytes.data()), capacity(), output());
      Check(result.status());
      Pass(result->bytes_written);
      bytes.remove_prefix(static_cast<std::size_t>(result->bytes_read));
    }
  }

  void Finish() override {
    bool more = true;
    while (more) {
      const auto result = compressor_->End(capacity(), output());
      Check(result.status());
      Pass(result->bytes_written);
      more = result->should_retry;
    }
    sink_->Finish();
  }

 private:
  static void Check(const arrow::Status& status) {
    if (!status.ok()) throw Error(ErrorKind::kOther, "gzip failed: " + status.message());
  }

  std::int64_t capacity() const { return static_cast<std::int64_t>(output_.size()); }
  std::uint8_t* output() { return reinterpret_cast<std::uint8_t*>(output_.data()); }

  void Pass(std::int64_t size) {
    if (size > 0) sink_->Write({output_.data(), static_cast<std::size_t>(size)});
  }

  std::unique_ptr<ByteSink> sink_;
  std::unique_ptr<arrow::util::Codec> codec_;
  std::shared_ptr<arrow::util::Compressor> compressor_;
  std::vector<char> output_;
};

}  // namespace

std::unique_ptr<ByteSource> MakeGunzip(std::unique_ptr<ByteSource> source) {
  return std::make_unique<Gunzip>(std::move(source));
}

std::unique_ptr<ByteSink> MakeGzip(std::unique_ptr<ByteSink> sink) { return std::make_unique<Gzip>(std::move(sink)); }

}  // namespace dtf
