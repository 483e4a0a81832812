// dtf encode MODEL TABLE -o Z
#include <memory>
#include <string>

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
  std::string table;
  std::string output;
  ReadingArguments reading;
  int threads = 0;
};

void Run(const Arguments& arguments) {
  RefuseToOverwrite(arguments.output, {arguments.model, arguments.table});
  const Model model = Model::Load(arguments.model);
  const auto reader = OpenTable(arguments.table, arguments.reading);
  const auto encode = [&](const Batch& batch) {
    return ToBatch(model, model.Encode(reader->columns(), batch, arguments.threads));
  };
  Transform(*reader, encode, arguments.output, LatentHeaders(model));
}

}  // namespace

Verb AddEncode(CLI::App& root) {
  CLI::App& app = AddVerb(
      root, "encode", "latent codes of each row",
      "Writes one column per column of the model: whole numbers from 0, the highest the most frequent or probable. A\n"
      "model of several members writes a column `member` before them (`member_2` if one has that name): the member\n"
      "that explains the row best. dtf decode turns them back.");
  const auto arguments = std::make_shared<Arguments>();
  AddFile(app, "MODEL", &arguments->model, "a model made by dtf fit");
  AddFile(app, "TABLE", &arguments->table, "a table with the model's columns, in any order");
  AddOutput(app, &arguments->output, "where the codes go; format by name");
  AddThreads(app, &arguments->threads);
  AddReadingOptions(app, &arguments->reading);
  return {&app, [arguments] { Run(*arguments); }};
}

}  // namespace dtf::cli
