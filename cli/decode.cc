// dtf decode MODEL Z -o TABLE
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "dtf/model.h"
#include "latent_table.h"
#include "options.h"
#include "reading.h"
#include "table_stream.h"
#include "verb.h"

namespace dtf::cli {
namespace {

struct Arguments {
  std::string model;
  std::string latent;
  std::string output;
  ReadingArguments reading;
  int threads = 0;
};

std::vector<std::vector<Code>> Rows(const std::vector<std::vector<Code>>& latent, std::size_t first, std::size_t rows) {
  std::vector<std::vector<Code>> part;
  for (const std::vector<Code>& column : latent) {
    const auto begin = column.begin() + static_cast<std::ptrdiff_t>(first);
    part.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(rows));
  }
  return part;
}

// All codes are checked before the first row is written.
void Run(const Arguments& arguments) {
  const Model model = Model::Load(arguments.model);
  const auto reader = OpenTable(arguments.latent, arguments.reading);
  const std::vector<std::vector<Code>> latent = ReadLatent(model, *reader);
  const std::size_t all = latent.front().size();
  OutputTable output(arguments.output, model.headers());
  std::size_t done = 0;
  do {
    const std::size_t rows = std::min(kBatchRows, all - done);
    output.Write(model.Decode(Rows(latent, done, rows), arguments.threads));
    done += rows;
  } while (done < all);
  output.Finish();
}

}  // namespace

Verb AddDecode(CLI::App& root) {
  CLI::App* app = root.add_subcommand("decode", "the rows that have these latent codes");
  app->footer("The inverse of dtf encode. A binned column comes back as its bin's representative.");
  const auto arguments = std::make_shared<Arguments>();
  AddFile(*app, "MODEL", &arguments->model, "a model made by dtf fit");
  AddFile(*app, "Z", &arguments->latent, "a table of codes, as dtf encode writes it");
  AddOutput(*app, &arguments->output, "where the rows go; format by name");
  AddThreads(*app, &arguments->threads);
  AddReadingOptions(*app, &arguments->reading);
  return {app, [arguments] { Run(*arguments); }};
}

}  // namespace dtf::cli
