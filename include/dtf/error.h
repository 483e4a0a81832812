// The one error type that crosses the library's border.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace dtf {

// The value of each kind is the exit code of the command-line tool.
enum class ErrorKind : int {
  kOther = 1,          // e.g. an output that cannot be written
  kUsage = 2,          // options that make no sense: alone, together, or for this table (a column that it has not)
  kInput = 3,          // a table that cannot be read or does not fit the model
  kModelFile = 4,      // a model file that is missing, damaged, hostile or newer than this library
  kOutOfMemory = 5,    // the tool's, for std::bad_alloc, which the library lets through: no Error is of this kind
  kInterrupted = 130,  // the caller asked to stop
};

// What every function of the library that can fail throws, std::bad_alloc apart. `what()` is one complete sentence for
// a user: it names the file, the line or record, the column and the value concerned, and the way out.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(WithoutNul(message)), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  // A cell may hold a NUL, at which what(), a C string, would end.
  static std::string WithoutNul(std::string text) {
    for (std::size_t at = 0; (at = text.find('\0', at)) != std::string::npos;) text.replace(at, 1, "\\0");
    return text;
  }

  ErrorKind kind_;
};

// The reader of a pipe that is written to has gone, as `head` does: for a command-line tool no fault, but the end.
class BrokenPipe : public Error {
 public:
  explicit BrokenPipe(const std::string& message) : Error(ErrorKind::kOther, message) {}
};

}  // namespace dtf
