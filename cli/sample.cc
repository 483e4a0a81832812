// dtf sample MODEL -n N
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "dtf/model.h"
#include "options.h"
#include "table_stream.h"
#include "verb.h"

namespace dtf::cli {
namespace {

struct Arguments {
  std::string model;
  std::uint64_t rows = 0;
  std::string output;
  std::uint64_t seed = 0;
  int threads = 0;
};

void Run(const Arguments& arguments) {
  RefuseToOverwrite(arguments.output, {arguments.model});
  const Model model = Model::Load(arguments.model);
  OutputTable output(arguments.output, model.headers());
  std::uint64_t done = 0;
  do {
    const std::uint64_t rows = std::min<std::uint64_t>(kBatchRows, arguments.rows - done);
    output.Write(model.Sample(arguments.seed, done, rows, arguments.threads));
    done += rows;
  } while (done < arguments.rows);
  output.Finish();
}

}  // namespace

Verb AddSample(CLI::App& root) {
  CLI::App& app = AddVerb(
      root, "sample", "draw rows from the model",
      "A seed stands for one endless sample: the same seed gives the same rows each time, and -n 10 the first ten of\n"
      "-n 1000. Ten samples of 100 rows with one seed are ten times the same; for other rows take another seed.");
  const auto arguments = std::make_shared<Arguments>();
  AddFile(app, "MODEL", &arguments->model, "a model made by dtf fit");
  AddNumber<std::uint64_t>(app, "-n,--rows", &arguments->rows, 0, std::numeric_limits<std::uint64_t>::max(), "N",
                           "how many rows")
      .Required();
  AddOutput(app, &arguments->output, "where the rows go; format by name");
  AddSeed(app, &arguments->seed, "which sample");
  AddThreads(app, &arguments->threads);
  return {&app, [arguments] { Run(*arguments); }};
}

}  // namespace dtf::cli
