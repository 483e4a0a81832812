// dtf crossval TABLE --folds K
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "dtf/error.h"
#include "dtf/fit.h"
#include "fit_options.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "reading.h"
#include "verb.h"

namespace dtf::cli {
namespace {

struct Arguments {
  std::string table;
  CrossvalOptions crossval;
  FitOptions fit;
  ReadingArguments reading;
  bool json = false;
  bool quiet = false;
};

struct Summary {
  double nll_mean = 0;
  double nll_std = 0;  // divided by the number of folds
  double seconds_mean = 0;
  double parameters_mean = 0;
};

Summary Summarize(const std::vector<FoldResult>& folds) {
  Summary summary;
  const auto count = static_cast<double>(folds.size());
  for (const FoldResult& fold : folds) {
    summary.nll_mean += fold.nll / count;
    summary.seconds_mean += fold.seconds / count;
    summary.parameters_mean += static_cast<double>(fold.parameters) / count;
  }
  double variance = 0;
  for (const FoldResult& fold : folds) variance += std::pow(fold.nll - summary.nll_mean, 2) / count;
  summary.nll_std = std::sqrt(variance);
  return summary;
}

Json FoldToJson(const FoldResult& fold) {
  return {{"rows", fold.rows},
          {"columns", fold.columns},
          {"layers", fold.layers},
          {"nodes", fold.nodes},
          {"parameters", fold.parameters},
          {"train_nll", fold.train_nll},
          {"valid_nll", ToJson(fold.valid_nll)},
          {"seconds", fold.seconds},
          {"nll", fold.nll}};
}

void PrintFoldsAsJson(const std::vector<FoldResult>& folds) {
  const Summary summary = Summarize(folds);
  Json list = Json::array();
  for (const FoldResult& fold : folds) list.push_back(FoldToJson(fold));
  PrintJson({{"folds", list},
             {"nll_mean", summary.nll_mean},
             {"nll_std", summary.nll_std},
             {"seconds_mean", summary.seconds_mean},
             {"parameters_mean", summary.parameters_mean}});
}

void PrintFolds(const std::vector<FoldResult>& folds) {
  const Summary summary = Summarize(folds);
  std::string text;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    const FoldResult& fold = folds[i];
    text += "fold " + std::to_string(i + 1) + ": test NLL " + Fixed(fold.nll) + ", train " + Fixed(fold.train_nll) +
            " nats per row, " + (fold.layers > 0 ? std::to_string(fold.layers) + " layers, " : "") +
            std::to_string(fold.parameters) + " parameters, " + Fixed(fold.seconds, 2) + " s\n";
  }
  text += "test NLL " + Fixed(summary.nll_mean) +
          (std::isfinite(summary.nll_mean) ? " ± " + Fixed(summary.nll_std) : "") + " nats per row, " +
          Fixed(summary.parameters_mean, 1) + " parameters, " + Fixed(summary.seconds_mean, 2) + " s a fold\n";
  Print(text);
}

std::vector<FoldResult> CrossvalWithProgress(const Arguments& arguments) {
  const MarkedTable marked = ReadMarkedTable(arguments.table, arguments.reading);
  if (!arguments.quiet) {
    WarnOfOneColumn(arguments.reading, marked);
    WarnOfIdleMarkers(arguments.reading, marked);
  }
  Progress progress(arguments.quiet);
  const auto show = [&](const FoldResult& fold) { progress.Show(fold, arguments.crossval.folds); };
  const auto warn = [&](const std::string& warning) {
    if (!arguments.quiet) PrintMessage("warning: " + warning);
  };
  return Crossval(marked.table, arguments.fit, arguments.crossval, show, warn);
}

void Run(const Arguments& arguments, Option shuffle_seed) {
  if (arguments.crossval.contiguous && shuffle_seed.IsGiven()) {
    throw Error(ErrorKind::kUsage, "--contiguous excludes --shuffle-seed (see dtf crossval --help)");
  }
  const std::vector<FoldResult> folds = CrossvalWithProgress(arguments);
  arguments.json ? PrintFoldsAsJson(folds) : PrintFolds(folds);
}

}  // namespace

Verb AddCrossval(CLI::App& root) {
  CLI::App& app =
      AddVerb(root, "crossval", "fit and test once per fold; mean test NLL in nats",
              "Categories and bins come from the whole table. The standard deviation divides by the number of folds.");
  const auto arguments = std::make_shared<Arguments>();
  CrossvalOptions* options = &arguments->crossval;
  AddFile(app, "TABLE", &arguments->table, "the table");
  AddNumber(app, "--folds", &options->folds, 2, std::numeric_limits<int>::max(), "K", "how many parts").Required();
  AddOnOff(app, "contiguous", &options->contiguous, "parts as the rows stand in the file, not shuffled");
  const Option shuffle_seed =
      AddNumber<std::uint64_t>(app, "--shuffle-seed", &options->shuffle_seed, 0,
                               std::numeric_limits<std::uint64_t>::max(), "S", "how the rows are shuffled first");
  AddJson(app, &arguments->json);
  AddOnOff(app, "quiet", &arguments->quiet, "no progress, no warnings; only the result and errors");
  AddFitOptions(app, &arguments->fit);
  AddReadingOptions(app, &arguments->reading);
  return {&app, [arguments, shuffle_seed] { Run(*arguments, shuffle_seed); }};
}

}  // namespace dtf::cli
