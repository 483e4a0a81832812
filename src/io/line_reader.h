// Physical lines of a text, as an editor counts them: LF, CRLF or a lone CR ends a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.h"

namespace dtf {

struct Line {
  std::string_view text;     // without its end
  std::string_view end;      // "\n", "\r\n", "\r", or empty on a last line that nothing ends
  std::uint64_t number = 0;  // 1-based
  bool has_quote = false;
};

// Reads through a buffer of fixed size that grows only for a longer line.
class LineReader {
 public:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 18;
  static constexpr std::size_t kMaxLineBytes = std::size_t{1} << 30;

  explicit LineReader(std::unique_ptr<ByteSource> source, std::size_t buffer_bytes = kBufferBytes);

  const std::string& source() const { return source_->name(); }

  // The first up to `size` bytes of what is still to come, without taking them.
  std::string_view Peek(std::size_t size);

  // Passes over `size` bytes. REQUIRES: Peek has shown them.
  void Skip(std::size_t size) { begin_ += size; }

  // The next line, whose views are valid until the next call; false at the end. Throws Error(kInput) when the source
  // cannot be read or a line is longer than kMaxLineBytes.
  bool Next(Line& line);

 private:
  // Position of the next `byte` at or after begin_; end_ if there is none in the buffer. `found` is the last answer:
  // no `byte` lies between begin_ and it, so that a rare byte is not searched for again at every line.
  std::size_t Find(char byte, std::size_t& found) const;
  bool Refill();

  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what is not yet handed out
  std::size_t end_ = 0;
  std::size_t newline_ = 0, carriage_return_ = 0, quote_ = 0;  // the answers of Find
  std::uint64_t lines_ = 0;
  bool at_end_ = false;  // of the source
};

}  // namespace dtf
