// A file that appears under its name only when it is complete.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dtf/error.h"
#include "dtf/io.h"

namespace dtf {

// Collects a file under no name, or a temporary one, beside its target, and gives it its name in Commit. Destroyed
// before that, it leaves nothing, and an old file as it was. The new file has the permissions of the old one; a
// symbolic link stays, and its target is replaced.
//
// Standard output (`-`) and what is no regular file (a pipe, a device, /dev/stdout) are written to at once.
//
// Errors are Error(kOther): "cannot write PATH: REASON". A closed pipe is BrokenPipe, provided that the program
// ignores SIGPIPE; a file size limit is an error, provided that it ignores SIGXFSZ.
class OutputFile {
 public:
  // How the unfinished file is kept: without name where the file system can do that, or always with one (for tests).
  enum class Temporary { kUnnamedIfPossible, kNamed };

  // Throws when the file could not be given its name later: the target is a directory or write-protected (also for a
  // superuser), or its directory does not exist or cannot be written to.
  explicit OutputFile(const std::string& path, Temporary temporary = Temporary::kUnnamedIfPossible);
  ~OutputFile();

  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Not buffered: callers collect small pieces themselves.
  void Write(std::string_view bytes);

  // Puts the file on disk and gives it its name. Nothing may be written afterwards.
  void Commit();

 private:
  [[noreturn]] void Throw(int error) const;
  int OpenDirectly(const std::string& path) const;
  void OpenTemporary(Temporary temporary);
  void OpenNamed();
  void LinkUnnamed();
  void TakePermissions();
  void Close();

  std::string path_;        // as the caller calls it
  std::string target_;      // the regular file that Commit replaces; empty when written to directly
  std::string unfinished_;  // the temporary name, while there is one
  int slot_ = -1;           // of unfinished_ in the table for RemoveUnfinishedOutputs
  int descriptor_ = -1;
  bool owns_descriptor_ = true;
};

}  // namespace dtf
