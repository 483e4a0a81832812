// Where the bytes of a text table come from.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace dtf {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // How messages call it: its path, or "standard input".
  virtual const std::string& name() const = 0;

  // Reads up to `size` (> 0) bytes, as many as are there without waiting for all; 0 only at the end.
  // Throws Error(kInput).
  virtual std::size_t Read(char* data, std::size_t size) = 0;
};

// How messages call the table at `path`.
std::string SourceName(const std::string& path);

// Opens a file, or standard input for `-`. Throws Error(kInput) when it cannot be opened or is a directory.
std::unique_ptr<ByteSource> OpenBytes(const std::string& path);

// Like OpenBytes, but what is compressed by gzip (told by its first bytes, not by its name) comes out as text.
// Throws Error(kInput) when a file called .gz is not one.
std::unique_ptr<ByteSource> OpenText(const std::string& path);

}  // namespace dtf
