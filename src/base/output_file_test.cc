#include "base/output_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "base/directory_test_util.h"
#include "dtf/io.h"

namespace dtf {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void WriteFile(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

mode_t Mode(const fs::path& path) {
  struct stat status = {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

// Every test runs with unnamed and with named temporary files, in a directory of its own.
class OutputFileTest : public testing::TestWithParam<OutputFile::Temporary> {
 protected:
  std::set<std::string> Names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_)) names.insert(entry.path().filename());
    return names;
  }

  void Save(const std::string& path, const std::string& text) const {
    OutputFile file(path, GetParam());
    file.Write(text);
    file.Commit();
  }

  std::string Failure(const std::string& path) const {
    try {
      Save(path, "new");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kOther);
      return error.what();
    }
    return "no error";
  }

  const TestDirectory scratch_;
  const fs::path directory_ = scratch_.path();
};

using NameSet = std::set<std::string>;

TEST_P(OutputFileTest, AppearsOnlyWhenCommitted) {
  const fs::path path = directory_ / "Ć b,\"c.txt";
  OutputFile file(path, GetParam());
  file.Write("first, ");
  EXPECT_FALSE(fs::exists(path));
  file.Write("second");
  file.Commit();
  EXPECT_EQ(ReadFile(path), "first, second");
  EXPECT_EQ(Names(), NameSet{path.filename()});
}

TEST_P(OutputFileTest, LeavesTheOldFileWhenNotCommitted) {
  const fs::path path = directory_ / "old.txt";
  WriteFile(path, "old");
  {
    OutputFile file(path, GetParam());
    file.Write("half");
    EXPECT_EQ(ReadFile(path), "old");
  }
  EXPECT_EQ(ReadFile(path), "old");
  EXPECT_EQ(Names(), NameSet{"old.txt"});
}

TEST_P(OutputFileTest, TakesPermissionsOfTheOldFileOrTheUmask) {
  const fs::path path = directory_ / "file";
  const mode_t old_mask = umask(027);
  Save(path, "1");
  umask(old_mask);
  EXPECT_EQ(Mode(path), 0640u);
  ASSERT_EQ(chmod(path.c_str(), 0604), 0);
  Save(path, "2");
  EXPECT_EQ(ReadFile(path), "2");
  EXPECT_EQ(Mode(path), 0604u);
}

TEST_P(OutputFileTest, WritesThroughSymbolicLinks) {
  fs::create_directory(directory_ / "sub");
  fs::create_symlink("sub/link", directory_ / "link");
  fs::create_symlink("target", directory_ / "sub" / "link");
  Save(directory_ / "link", "into nothing");
  EXPECT_EQ(ReadFile(directory_ / "sub" / "target"), "into nothing");
  Save(directory_ / "link", "replaced");
  EXPECT_EQ(ReadFile(directory_ / "sub" / "target"), "replaced");
  EXPECT_TRUE(fs::is_symlink(directory_ / "link"));
  EXPECT_TRUE(fs::is_symlink(directory_ / "sub" / "link"));
}

TEST_P(OutputFileTest, NamesPathAndReasonWhenItCannotBeWritten) {
  const std::string missing = directory_ / "no" / "such" / "file";
  EXPECT_EQ(Failure(missing), "cannot write " + missing + ": No such file or directory");
  EXPECT_EQ(Failure(directory_), "cannot write " + directory_.string() + ": Is a directory");
  EXPECT_EQ(Failure(""), "cannot write : No such file or directory");
  const std::string in_file = directory_ / "plain" / "x";
  WriteFile(directory_ / "plain", "old");
  EXPECT_EQ(Failure(in_file), "cannot write " + in_file + ": Not a directory");
  fs::create_symlink("round", directory_ / "round");
  EXPECT_NE(Failure(directory_ / "round").find("Too many levels"), std::string::npos);
  const std::string read_only = directory_ / "read-only";
  WriteFile(read_only, "old");
  ASSERT_EQ(chmod(read_only.c_str(), 0444), 0);
  EXPECT_EQ(Failure(read_only), "cannot write " + read_only + ": Permission denied");
  EXPECT_EQ(ReadFile(read_only), "old");
  EXPECT_EQ(Failure("/dev/full"), "cannot write /dev/full: No space left on device");
  EXPECT_EQ(Names(), (NameSet{"plain", "read-only", "round"}));
}

TEST_P(OutputFileTest, TakesNamesAsLongAsTheFileSystemDoes) {
  const std::string name(255, 'n');
  Save(directory_ / name, "x");
  EXPECT_EQ(Names(), NameSet{name});
}

TEST_P(OutputFileTest, WritesToDevicesAndOpenFilesAtOnce) {
  Save("/dev/null", "gone");
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
  // What /dev/stdout stands for when it is redirected must not be replaced under the feet of its owner.
  const fs::path path = directory_ / "redirected";
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(write(descriptor, "before ", 7), 7);
  Save("/dev/fd/" + std::to_string(descriptor), "and after");
  close(descriptor);
  EXPECT_EQ(ReadFile(path), "before and after");
}

TEST_P(OutputFileTest, TellsAClosedPipeFromOtherErrors) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const auto old_handler = std::signal(SIGPIPE, SIG_IGN);
  OutputFile file("/dev/fd/" + std::to_string(ends[1]), GetParam());
  file.Write("read");
  close(ends[0]);
  EXPECT_THROW(file.Write("lost"), BrokenPipe);
  close(ends[1]);
  std::signal(SIGPIPE, old_handler);
}

TEST_P(OutputFileTest, KeepsTheOldFileAtASizeLimit) {
  const fs::path path = directory_ / "limited";
  WriteFile(path, "old");
  struct rlimit old_limit = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit limit = {1000, old_limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::string message;
  try {
    Save(path, std::string(5000, 'x'));
  } catch (const Error& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(message, "cannot write " + path.string() + ": File too large");
  EXPECT_EQ(ReadFile(path), "old");
  EXPECT_EQ(Names(), NameSet{"limited"});
}

TEST_P(OutputFileTest, ASignalHandlerCanLeaveNothingBehind) {
  const pid_t child = fork();
  if (child == 0) {
    OutputFile file(directory_ / "a", GetParam());
    OutputFile other(directory_ / "b", GetParam());
    OutputFile done(directory_ / "done", GetParam());
    file.Write("unfinished");
    done.Commit();
    RemoveUnfinishedOutputs();
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Names(), NameSet{"done"});
}

INSTANTIATE_TEST_SUITE_P(Temporaries, OutputFileTest,
                         testing::Values(OutputFile::Temporary::kUnnamedIfPossible, OutputFile::Temporary::kNamed),
                         [](const auto& test) {
                           return test.param == OutputFile::Temporary::kNamed ? "Named" : "Unnamed";
                         });

}  // namespace
}  // namespace dtf
