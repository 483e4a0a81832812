// The verbs of the command line: `dtf VERB ARGUMENTS`.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace dtf::cli {

// A verb's part of the command line, and what it does once that is parsed. `run` throws dtf::Error, also for options
// that exclude each other.
struct Verb {
  CLI::App* app;
  std::function<void()> run;
};

// Each adds its verb to `root`.
Verb AddFit(CLI::App& root);
Verb AddEval(CLI::App& root);
Verb AddScore(CLI::App& root);
Verb AddSample(CLI::App& root);
Verb AddEncode(CLI::App& root);
Verb AddDecode(CLI::App& root);
Verb AddCrossval(CLI::App& root);
Verb AddInfo(CLI::App& root);
Verb AddReport(CLI::App& root);

}  // namespace dtf::cli
