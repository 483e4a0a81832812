// dtf report MODEL TABLE -o PAGE.html: reads the table, and gives it to the Python package, which makes the page.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "dtf/error.h"
#include "options.h"
#include "reading.h"
#include "verb.h"

namespace dtf::cli {
namespace {

struct Arguments {
  std::string model;
  std::string table;
  std::string output;
  int samples = 0;
  int rows = 0;
  std::uint64_t seed = 0;
  int threads = 0;
  ReadingArguments reading;
};

constexpr const char* kWayOut =
    ": install it (pip install . in a clone of this program), or name the interpreter that has it in the environment "
    "variable DTF_PYTHON";

std::string Interpreter() {
  const char* const named = std::getenv("DTF_PYTHON");
  return named == nullptr || *named == '\0' ? "python3" : named;
}

// Starts it with `input` as its standard input. Throws Error(kOther) when it cannot be started.
pid_t Start(std::vector<std::string> command, int input) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  pid_t process = -1;
  const int error = posix_spawnp(&process, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw Error(ErrorKind::kOther, "dtf report needs the Python package dtf, and " + command[0] + " cannot be run (" +
                                       std::strerror(error) + ")" + kWayOut);
  }
  return process;
}

// The exit code, as a shell tells it.
int WaitFor(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return 1;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void CheckPackage(const std::string& python) {
  const std::string find = "import importlib.util, sys; sys.exit(importlib.util.find_spec('dtf') is None)";
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);  // the table may be on standard input
  const pid_t process = Start({python, "-c", find}, nothing);
  close(nothing);
  if (WaitFor(process) == 0) return;
  throw Error(ErrorKind::kOther,
              "dtf report needs the Python package dtf, which " + python + " does not have" + kWayOut);
}

std::vector<std::string> Command(const std::string& python, const Arguments& arguments, std::size_t rows) {
  return {python,
          "-m",
          "dtf",
          "report",
          "--output=" + arguments.output,
          "--title=" + arguments.table,
          "--samples=" + std::to_string(arguments.samples),
          "--rows=" + std::to_string(arguments.rows),
          "--seed=" + std::to_string(arguments.seed),
          "--threads=" + std::to_string(arguments.threads),
          "--expect-rows=" + std::to_string(rows),  // fewer rows mean that this program ended early
          "--",
          arguments.model,
          "-"};
}

// Written as CSV: a model knows values by their texts, so nothing is lost.
void WriteTo(int pipe, const NamedTable& table) {
  const std::string path = "/dev/fd/" + std::to_string(pipe);
  try {
    const auto writer = CreateTable(path, table.headers, WriteOptions());
    writer->Write(table.rows);
    writer->Finish();
  } catch (const BrokenPipe&) {  // it has ended, and says why
  }
}

void Run(const Arguments& arguments) {
  if (arguments.output == "-") throw Error(ErrorKind::kUsage, "--output -: the page is a file; give its name");
  RefuseToOverwrite(arguments.output, {arguments.model, arguments.table});
  setenv("PYTHONSAFEPATH", "1", 1);  // what lies in the working directory is not the package
  std::signal(SIGCHLD, SIG_DFL);     // were it ignored, as some callers have it, there would be no child to wait for
  const std::string python = Interpreter();
  CheckPackage(python);
  const NamedTable table = ReadTable(arguments.table, arguments.reading);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error(ErrorKind::kOther, "cannot make a pipe");
  const pid_t process = Start(Command(python, arguments, table.rows.rows), ends[0]);
  close(ends[0]);
  WriteTo(ends[1], table);
  close(ends[1]);
  const int code = WaitFor(process);
  if (code != 0) std::exit(code);  // it has told why
}

}  // namespace

Verb AddReport(CLI::App& root) {
  CLI::App& app = AddVerb(
      root, "report", "a page about the model and a table (needs the Python package)",
      "The page is one HTML file that needs nothing else: learning curve, frequencies and associations of the table\n"
      "beside those of a sample, the strangest rows with the cells that make them so, and the model's structure. It "
      "is\n"
      "made by the Python package of python3, or of the interpreter that the environment variable DTF_PYTHON names.");
  const auto arguments = std::make_shared<Arguments>();
  constexpr int kMost = 100'000'000;
  AddFile(app, "MODEL", &arguments->model, "a model made by dtf fit");
  AddFile(app, "TABLE", &arguments->table, "a table with the model's columns, in any order");
  AddText(app, "-o,--output", &arguments->output, "PAGE.html", "where the page goes").Required();
  arguments->samples = 10'000;
  AddNumber(app, "--samples", &arguments->samples, 1, kMost, "N", "rows sampled from the model");
  arguments->rows = 20;
  AddNumber(app, "--rows", &arguments->rows, 1, kMost, "N", "strange rows shown");
  AddSeed(app, &arguments->seed, "which sample");
  AddThreads(app, &arguments->threads);
  AddReadingOptions(app, &arguments->reading);
  return {&app, [arguments] { Run(*arguments); }};
}

}  // namespace dtf::cli
