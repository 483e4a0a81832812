// dtf decode MODEL Z -o TABLE
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
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

// All codes are checked before the first row is written: a file is read twice, a pipe is kept in memory.
void Run(const Arguments& arguments) {
  RefuseToOverwrite(arguments.output, {arguments.model, arguments.latent});
  const Model model = Model::Load(arguments.model);
  const auto read = [&](const std::function<void(Latent)>& take) {
    const auto reader = OpenTable(arguments.latent, arguments.reading);
    ForEachLatent(model, *reader, take);
  };
  OutputTable output(arguments.output, model.headers());
  const auto decode = [&](const Latent& latent) { output.Write(model.Decode(latent, arguments.threads)); };
  std::error_code no_file;
  if (arguments.latent != "-" && std::filesystem::is_regular_file(arguments.latent, no_file)) {
    read([](const Latent&) {});
    read(decode);
  } else {
    std::vector<Latent> all;
    read([&](Latent latent) { all.push_back(std::move(latent)); });
    for (const Latent& latent : all) decode(latent);
  }
  output.Finish();
}

}  // namespace

Verb AddDecode(CLI::App& root) {
  CLI::App& app = AddVerb(root, "decode", "the rows that have these latent codes",
                          "The inverse of dtf encode. A binned column comes back as its bin's representative.");
  const auto arguments = std::make_shared<Arguments>();
  AddFile(app, "MODEL", &arguments->model, "a model made by dtf fit");
  AddFile(app, "Z", &arguments->latent, "a table of codes, as dtf encode writes it");
  AddOutput(app, &arguments->output, "where the rows go; format by name");
  AddThreads(app, &arguments->threads);
  AddReadingOptions(app, &arguments->reading);
  return {&app, [arguments] { Run(*arguments); }};
}

}  // namespace dtf::cli
