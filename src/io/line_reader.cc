#include "io/line_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "dtf/error.h"

namespace dtf {

LineReader::LineReader(std::unique_ptr<ByteSource> source, std::size_t buffer_bytes)
    : source_(std::move(source)), buffer_(std::max<std::size_t>(1, buffer_bytes)) {}

std::string_view LineReader::Peek(std::size_t size) {
  while (end_ - begin_ < size && Refill()) {
  }
  return {buffer_.data() + begin_, std::min(size, end_ - begin_)};
}

std::size_t LineReader::Find(char byte, std::size_t& found) const {
  found = std::max(found, begin_);
  if (found == end_ || buffer_[found] == byte) return found;
  const void* at = std::memchr(buffer_.data() + found, byte, end_ - found);
  found = at == nullptr ? end_ : static_cast<std::size_t>(static_cast<const char*>(at) - buffer_.data());
  return found;
}

bool LineReader::Next(Line& line) {
  std::size_t stop;
  while (true) {
    stop = std::min(Find('\n', newline_), Find('\r', carriage_return_));
    // A CR that is the last byte in the buffer may be the first half of a CRLF.
    if (stop < end_ && (buffer_[stop] == '\n' || stop + 1 < end_)) break;
    if (at_end_) break;
    Refill();
  }
  if (begin_ == end_) return false;
  const char* const start = buffer_.data() + begin_;
  const char* const last = buffer_.data() + stop;
  std::size_t end_size = stop == end_ ? 0 : 1;
  if (end_size == 1 && *last == '\r' && stop + 1 < end_ && last[1] == '\n') end_size = 2;
  line.text = {start, stop - begin_};
  line.end = {last, end_size};
  line.number = ++lines_;
  line.has_quote = Find('"', quote_) < stop;
  begin_ = stop + end_size;
  return true;
}

bool LineReader::Refill() {
  if (at_end_) return false;
  std::copy(buffer_.begin() + begin_, buffer_.begin() + end_, buffer_.begin());
  for (std::size_t* found : {&newline_, &carriage_return_, &quote_}) *found -= std::min(*found, begin_);
  end_ -= std::exchange(begin_, 0);
  if (end_ == buffer_.size()) {
    if (end_ >= kMaxLineBytes) {
      throw Error(ErrorKind::kInput,
                  source() + ", line " + std::to_string(lines_ + 1) + ": the line is longer than 1 GiB");
    }
    buffer_.resize(2 * buffer_.size());
  }
  const std::size_t count = source_->Read(buffer_.data() + end_, buffer_.size() - end_);
  at_end_ = count == 0;
  end_ += count;
  return !at_end_;
}

}  // namespace dtf
