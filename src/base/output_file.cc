#include "base/output_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstring>
#include <random>
#include <system_error>
#include <utility>

#include "base/blocking_io.h"

namespace dtf {
namespace {

// ---------------------------------------------------------------- Temporary names, for signal handlers

struct UnfinishedName {
  enum State : int { kFree, kTaken, kListed };
  std::atomic<int> state{kFree};
  char path[PATH_MAX];
};

constexpr int kSlots = 16;  // files written at the same time; of more, a signal may leave some behind
UnfinishedName unfinished_names[kSlots];
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler reads the states");

int ListUnfinished(const std::string& path) {
  if (path.size() >= PATH_MAX) return -1;
  for (int i = 0; i < kSlots; ++i) {
    int expected = UnfinishedName::kFree;
    if (!unfinished_names[i].state.compare_exchange_strong(expected, UnfinishedName::kTaken)) continue;
    std::memcpy(unfinished_names[i].path, path.c_str(), path.size() + 1);
    unfinished_names[i].state = UnfinishedName::kListed;
    return i;
  }
  return -1;
}

void Unlist(int slot) {
  if (slot >= 0) unfinished_names[slot].state = UnfinishedName::kFree;
}

// ---------------------------------------------------------------- Paths

std::string DirectoryOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string NameOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// The number of the open file that `path` (such as /dev/fd/1 after its links are followed) is another name of; -1 if
// it is none. To replace such a file would not change what the open file shows.
int OpenFileNumber(const std::string& path) {
  const std::string directory = DirectoryOf(path);
  struct statfs system;
  if (statfs(directory.c_str(), &system) != 0 || system.f_type != PROC_SUPER_MAGIC) return -1;
  const std::string name = NameOf(path);
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? number : -1;
}

// Where the symbolic links that start at `path` lead, be there a file or not; at most up to a name of an open file.
// Sets `error` when they go round in circles.
std::string FollowLinks(std::string path, int& error) {
  constexpr int kMaxLinks = 40;
  for (int i = 0; i < kMaxLinks; ++i) {
    char link[PATH_MAX];
    const ssize_t size = readlink(path.c_str(), link, sizeof link);
    if (size < 0 || OpenFileNumber(path) >= 0) return path;
    const std::string next(link, static_cast<std::size_t>(size));
    path = next.starts_with('/') ? next : DirectoryOf(path) + "/" + next;
  }
  error = ELOOP;
  return path;
}

// A name of `length` random letters; another one each time.
std::string RandomLetters(std::size_t length) {
  std::random_device random;
  std::string letters;
  while (letters.size() < length) letters += "abcdefghijklmnopqrstuvwxyz"[random() % 26];
  return letters;
}

std::string TemporaryNameFor(const std::string& target) {
  constexpr std::size_t kMaxName = 200;  // leaves room for the rest below the usual limit of 255
  return DirectoryOf(target) + "/." + NameOf(target).substr(0, kMaxName) + "." + RandomLetters(6) + ".tmp";
}

std::string UnnamedPath(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

template <typename Call>
auto Retry(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace

OutputFile::OutputFile(const std::string& path, Temporary temporary) : path_(path) {
  if (path == "-") {
    descriptor_ = STDOUT_FILENO;
    owns_descriptor_ = false;
    return;
  }
  int error = 0;
  const std::string target = FollowLinks(path, error);
  if (error != 0) Throw(error);
  struct stat old;
  const bool exists = stat(path.c_str(), &old) == 0;
  if (exists && (!S_ISREG(old.st_mode) || OpenFileNumber(target) >= 0)) {
    if (S_ISDIR(old.st_mode)) Throw(EISDIR);
    descriptor_ = OpenDirectly(target);
    if (descriptor_ < 0) Throw(errno);
    return;
  }
  if (!exists && errno != ENOENT) Throw(errno);
  if (target.ends_with('/')) Throw(EISDIR);
  if (target.empty()) Throw(ENOENT);
  // Renaming would replace a write-protected file, too, so its permissions are checked here; a superuser may do
  // anything.
  if (exists && ((old.st_mode & S_IWUSR) == 0 || access(target.c_str(), W_OK) != 0)) Throw(EACCES);
  target_ = target;
  OpenTemporary(temporary);
  if (exists) TakePermissions();
}

OutputFile::~OutputFile() {
  Close();
  if (!unfinished_.empty()) unlink(unfinished_.c_str());
  Unlist(slot_);
}

void OutputFile::Throw(int error) const {
  const std::string what = path_ == "-" ? "to standard output" : path_;
  const std::string message = "cannot write " + what + ": " + std::generic_category().message(error);
  if (error == EPIPE) throw BrokenPipe(message);
  throw Error(ErrorKind::kOther, message);
}

int OutputFile::OpenDirectly(const std::string& path) const {
  const int number = OpenFileNumber(path);
  if (number >= 0) return fcntl(number, F_DUPFD_CLOEXEC, 0);
  return Retry([&] { return open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY); });
}

void OutputFile::OpenTemporary(Temporary temporary) {
  if (temporary == Temporary::kUnnamedIfPossible) {
    const std::string directory = DirectoryOf(target_);
    descriptor_ = Retry([&] { return open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666); });
    // Without /proc it could not be given a name.
    if (descriptor_ >= 0 && access(UnnamedPath(descriptor_).c_str(), F_OK) != 0) Close();
  }
  if (descriptor_ < 0) OpenNamed();
}

void OutputFile::OpenNamed() {
  do {
    unfinished_ = TemporaryNameFor(target_);
    slot_ = ListUnfinished(unfinished_);
    descriptor_ = Retry([&] { return open(unfinished_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
    if (descriptor_ >= 0) return;
    Unlist(std::exchange(slot_, -1));
    unfinished_.clear();
  } while (errno == EEXIST);
  Throw(errno);
}

// Best effort: on some file systems a file has no permissions to change.
void OutputFile::TakePermissions() {
  struct stat old;
  struct stat mine;
  if (stat(target_.c_str(), &old) != 0 || fstat(descriptor_, &mine) != 0) return;
  if (old.st_uid != mine.st_uid || old.st_gid != mine.st_gid) {
    [[maybe_unused]] const int ignored = fchown(descriptor_, old.st_uid, old.st_gid);
  }
  fchmod(descriptor_, old.st_mode & 07777);
}

void OutputFile::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        UntilReady(descriptor_, POLLOUT, [&] { return write(descriptor_, bytes.data(), bytes.size()); });
    if (count < 0) Throw(errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void OutputFile::Commit() {
  if (!target_.empty()) {
    if (Retry([&] { return fsync(descriptor_); }) != 0 && errno != EINVAL) Throw(errno);
    if (unfinished_.empty()) LinkUnnamed();
  }
  if (owns_descriptor_ && close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) Throw(errno);
  if (target_.empty()) return;
  if (rename(unfinished_.c_str(), target_.c_str()) != 0) Throw(errno);
  unfinished_.clear();
  Unlist(std::exchange(slot_, -1));
  // So that the new name outlives a power cut; where a directory cannot be synced there is nothing to be done.
  const int directory = open(DirectoryOf(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    fsync(directory);
    close(directory);
  }
}

// linkat replaces no file, so that the way to the final name leads over a temporary one.
void OutputFile::LinkUnnamed() {
  const std::string unnamed = UnnamedPath(descriptor_);
  do {
    unfinished_ = TemporaryNameFor(target_);
    slot_ = ListUnfinished(unfinished_);
    if (linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, unfinished_.c_str(), AT_SYMLINK_FOLLOW) == 0) return;
    Unlist(std::exchange(slot_, -1));
    unfinished_.clear();
  } while (errno == EEXIST);
  Throw(errno);
}

void OutputFile::Close() {
  if (owns_descriptor_ && descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

void RemoveUnfinishedOutputs() noexcept {
  const int saved_errno = errno;
  for (UnfinishedName& name : unfinished_names) {
    if (name.state == UnfinishedName::kListed) unlink(name.path);
  }
  errno = saved_errno;
}

}  // namespace dtf
