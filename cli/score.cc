// dtf score MODEL TABLE
#include <charconv>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "dtf/model.h"
#include "known_values.h"
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
  bool per_column = false;
};

// The fewest digits that read back to the same number.
std::string Write(double value) {
  char buffer[32];
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

TextColumn ToColumn(const std::vector<double>& scores) {
  TextColumn column;
  column.dictionary.reserve(scores.size());
  for (const double score : scores) column.dictionary.push_back(Write(score));
  column.cells.resize(scores.size());
  std::iota(column.cells.begin(), column.cells.end(), Code{0});
  return column;
}

std::vector<ColumnHeader> Headers(const Model& model, bool per_column) {
  if (!per_column) return {{"log_likelihood", "double"}};
  std::vector<ColumnHeader> headers = model.headers();
  for (ColumnHeader& header : headers) header.type = "double";
  return headers;
}

void Run(const Arguments& arguments) {
  RefuseToOverwrite(arguments.output, {arguments.model, arguments.table});
  const Model model = Model::Load(arguments.model);
  const auto reader = OpenTable(arguments.table, arguments.reading);
  KnownValues known_values(model, *reader);
  const auto score = [&](const Batch& batch) {
    known_values.Take(batch);
    Batch scores;
    scores.rows = batch.rows;
    if (arguments.per_column) {
      for (const auto& column : model.ScorePerColumn(reader->columns(), batch, arguments.threads)) {
        scores.columns.push_back(ToColumn(column));
      }
    } else {
      scores.columns.push_back(ToColumn(model.Score(reader->columns(), batch, arguments.threads)));
    }
    return scores;
  };
  Transform(*reader, score, arguments.output, Headers(model, arguments.per_column));
  known_values.Warn();
}

}  // namespace

Verb AddScore(CLI::App& root) {
  CLI::App& app = AddVerb(
      root, "score", "log-likelihood of each row, in nats (natural logarithm)",
      "Writes one column, log_likelihood: ln P(row). The higher, the more usual the row; an anomaly score is its\n"
      "negative. -inf means that the model gives the row no probability.");
  const auto arguments = std::make_shared<Arguments>();
  AddFile(app, "MODEL", &arguments->model, "a model made by dtf fit");
  AddFile(app, "TABLE", &arguments->table, "a table with the model's columns, in any order");
  AddOutput(app, &arguments->output, "where the scores go; format by name");
  AddOnOff(app, "per-column", &arguments->per_column,
           "the summands of each log-likelihood, one column per column of the table (a model of several members has "
           "none; with --base conditional a tsp's are of the last tree's answers about the column and of its value)");
  AddThreads(app, &arguments->threads);
  AddReadingOptions(app, &arguments->reading);
  return {&app, [arguments] { Run(*arguments); }};
}

}  // namespace dtf::cli
