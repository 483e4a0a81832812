// The command-line tool dtf: results on standard output, everything else on standard error.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "dtf/error.h"
#include "dtf/version.h"
#include "help.h"
#include "output.h"
#include "signals.h"
#include "verb.h"

namespace dtf::cli {
namespace {

std::vector<Verb> AddVerbs(CLI::App& root) {
  root.name("dtf");
  root.set_help_flag("-h,--help", "print this help");
  root.formatter(MakeHelpFormatter());
  root.set_version_flag("--version", "dtf " DTF_VERSION, "print the version");
  root.require_subcommand(1);
  return {AddFit(root),    AddEval(root),     AddScore(root), AddSample(root), AddEncode(root),
          AddDecode(root), AddCrossval(root), AddInfo(root),  AddReport(root)};
}

// `-o=FILE` means `-oFILE`, as `--output=FILE` would suggest. CLI11 takes arguments from the back.
std::vector<std::string> Arguments(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  std::for_each(arguments.begin(), end, [](std::string& argument) {
    if (argument.starts_with("-o=") || argument.starts_with("-n=")) argument.erase(2, 1);
  });
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

int Run(int argc, char** argv) {
  CLI::App root("Exact probabilities of rows of categorical tables (Discrete Tree Flows).");
  const std::vector<Verb> verbs = AddVerbs(root);
  try {
    root.parse(Arguments(argc, argv));
    for (const Verb& verb : verbs) {
      if (verb.app->parsed()) verb.run();
    }
  } catch (const CLI::CallForVersion& version) {
    Print(version.what() + std::string("\n"));
  } catch (const CLI::CallForHelp&) {
    Print(root.help());
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::kUsage, DescribeUsageError(root, error));
  }
  return 0;
}

int RunAndReport(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const BrokenPipe&) {
    EndByBrokenPipe();
  } catch (const Error& error) {
    PrintMessage(error.what());
    return static_cast<int>(error.kind());
  } catch (const std::bad_alloc&) {
    PrintMessage("not enough memory");
    return static_cast<int>(ErrorKind::kOutOfMemory);
  } catch (const std::exception& error) {
    PrintMessage(error.what());
    return static_cast<int>(ErrorKind::kOther);
  }
}

// Ends the process without running exit functions: all output is written, and none of ours are needed, while that of
// Arrow's allocator crashes if there was too little memory for its start. (With a sanitizer they run, to report.)
int End(int code) {
  if (!DTF_IS_SANITIZED) _exit(code);
  return code;
}

}  // namespace
}  // namespace dtf::cli

int main(int argc, char** argv) {
  dtf::cli::InstallSignalHandlers();
  return dtf::cli::End(dtf::cli::RunAndReport(argc, argv));
}
