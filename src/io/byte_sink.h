// Where the bytes of a text table go.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace dtf {

class ByteSink {
 public:
  virtual ~ByteSink() = default;

  // Throws Error(kOther).
  virtual void Write(std::string_view bytes) = 0;

  // Writes what was held back and gives the file its name; nothing may follow. Throws Error(kOther).
  virtual void Finish() = 0;
};

// The file at `path`, standard output for `-`; compressed when the name ends in .gz. Throws Error(kOther).
std::unique_ptr<ByteSink> CreateText(const std::string& path);

}  // namespace dtf
