// dtf fit TABLE -o MODEL
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dtf/error.h"
#include "dtf/fit.h"
#include "fit_options.h"
#include "model_words.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "reading.h"
#include "verb.h"

namespace dtf::cli {
namespace {

struct Arguments {
  std::string table;
  std::string model;
  std::optional<std::string> valid;
  std::optional<std::string> domain;
  FitOptions options;
  ReadingArguments reading;
  bool json = false;
  bool quiet = false;
};

std::optional<MarkedTable> ReadIfGiven(const std::optional<std::string>& path, const ReadingArguments& reading) {
  if (!path) return std::nullopt;
  return ReadMarkedTable(*path, reading);
}

const NamedTable* Pointer(const std::optional<MarkedTable>& table) { return table ? &table->table : nullptr; }

// Finds out before a long fit whether the model can be saved; what only Save itself finds out is rare.
void CheckModelPath(const std::string& path) {
  if (path == "-") throw Error(ErrorKind::kUsage, "a model cannot go to standard output; give -o a file name");
  Model::CheckSavePath(path);
}

void PrintSummary(const FitResult& result, std::size_t rows, double seconds, const std::string& path) {
  const Model& model = result.model;
  const std::string held_out = result.valid_nll ? Fixed(*result.valid_nll) + " nats per row" : "no rows held out";
  Print("rows          " + std::to_string(rows) + "\n" +                           //
        "columns       " + std::to_string(model.schema().columns.size()) + "\n" +  //
        "kind          " + KindInWords(model.structure()) + "\n" +                 //
        LayersLine(model, 14) +                                                    //
        "nodes         " + std::to_string(model.nodes()) + "\n" +                  //
        "parameters    " + std::to_string(model.parameters()) + "\n" +             //
        "train NLL     " + Fixed(result.train_nll) + " nats per row\n" +           //
        "held-out NLL  " + held_out + "\n" +                                       //
        "seconds       " + Fixed(seconds, 2) + "\n" +                              //
        "model         " + path + "\n");
}

void PrintSummaryAsJson(const FitResult& result, std::size_t rows, double seconds) {
  PrintJson({{"rows", rows},
             {"columns", result.model.schema().columns.size()},
             {"layers", result.model.layers()},
             {"nodes", result.model.nodes()},
             {"parameters", result.model.parameters()},
             {"train_nll", result.train_nll},
             {"valid_nll", ToJson(result.valid_nll)},
             {"seconds", seconds}});
}

// The choices are told in the order in which they were made; the model that came of them is last.
void PrintChoices(const FitResult& result) {
  if (result.choices.empty()) return;
  if (result.valid_nll) {
    PrintMessage(
        "tried, and judged by rows that it was not learnt from (negative log-likelihood: the lower, the better):");
  }
  for (const std::string& choice : result.choices) PrintMessage("  " + choice);
  PrintMessage("chose: " + KindInWords(result.model.structure()));
}

FitResult FitWithProgress(const FitInputs& inputs, const FitOptions& options, bool quiet) {
  Progress progress(quiet);
  return Fit(inputs, options, [&](const FitProgress& step) {
    progress.Show(step);
    return true;
  });
}

void CheckOneReadsStandardInput(const Arguments& arguments) {
  if ((arguments.table == "-") + (arguments.valid == "-") + (arguments.domain == "-") > 1) {
    throw Error(ErrorKind::kUsage, "only one of TABLE, --valid and --domain can be standard input");
  }
}

void Run(const Arguments& arguments) {
  if (arguments.options.closed && arguments.domain) {
    throw Error(ErrorKind::kUsage, "--domain excludes --closed (see dtf fit --help)");
  }
  CheckOneReadsStandardInput(arguments);
  CheckModelPath(arguments.model);
  RefuseToOverwrite(arguments.model, {arguments.table, arguments.valid, arguments.domain});
  const MarkedTable train = ReadMarkedTable(arguments.table, arguments.reading);
  const std::optional<MarkedTable> valid = ReadIfGiven(arguments.valid, arguments.reading);
  const std::optional<MarkedTable> domain = ReadIfGiven(arguments.domain, arguments.reading);
  if (!arguments.quiet) {
    WarnOfOneColumn(arguments.reading, train);
    WarnOfIdleMarkers(arguments.reading, train, valid, domain);
  }

  const auto start = std::chrono::steady_clock::now();
  const FitInputs inputs{
      .train = train.table, .valid = Pointer(valid), .domain = Pointer(domain), .missing = train.missing};
  const FitResult result = FitWithProgress(inputs, arguments.options, arguments.quiet);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (!arguments.quiet) PrintChoices(result);
  result.model.Save(arguments.model);
  if (arguments.json) {
    PrintSummaryAsJson(result, train.table.rows.rows, seconds.count());
  } else if (!arguments.quiet) {
    PrintSummary(result, train.table.rows.rows, seconds.count(), arguments.model);
  }
}

}  // namespace

Verb AddFit(CLI::App& root) {
  CLI::App& app = AddVerb(root, "fit", "learn a model from a table");
  const auto arguments = std::make_shared<Arguments>();
  AddFile(app, "TABLE", &arguments->table, "the table to learn from");
  AddText(app, "-o,--output", &arguments->model, "MODEL", "where the model goes").Required();
  const Option valid = AddOptional(app, "--valid", &arguments->valid, "TABLE", "held-out rows, never trained on");
  AddOptional(app, "--domain", &arguments->domain, "TABLE",
              "close the domain over this table's values and those learnt from");
  AddJson(app, &arguments->json);
  AddOnOff(app, "quiet", &arguments->quiet,
           "no progress, no warnings, no summary; only errors, and --json if asked for");
  AddFitOptions(app, &arguments->options);
  AddReadingOptions(app, &arguments->reading);
  valid.Excludes(FindOption(app, "--valid-fraction"));
  return {&app, [arguments] { Run(*arguments); }};
}

}  // namespace dtf::cli
