// dtf eval MODEL TABLE
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "dtf/error.h"
#include "dtf/model.h"
#include "known_values.h"
#include "options.h"
#include "output.h"
#include "reading.h"
#include "table_stream.h"
#include "verb.h"

namespace dtf::cli {
namespace {

struct Arguments {
  std::string model;
  std::string table;
  ReadingArguments reading;
  int threads = 0;
  bool json = false;
};

// The sum of many numbers of one sign, with the error of one addition (Neumaier, 1974).
class Sum {
 public:
  void Add(double value) {
    const double sum = sum_ + value;
    if (std::isfinite(sum))
      correction_ += std::abs(sum_) >= std::abs(value) ? (sum_ - sum) + value : (value - sum) + sum_;
    sum_ = sum;
  }
  double Value() const { return sum_ + correction_; }

 private:
  double sum_ = 0;
  double correction_ = 0;
};

struct Result {
  std::size_t rows = 0;
  std::optional<double> weight = {};  // of all rows, when a column of weights is there
  double nll = 0;                     // nats per row
  double bits_per_dim = 0;
};

Result Evaluate(const Model& model, TableReader& reader, int threads) {
  Result result;
  KnownValues known_values(model, reader);
  Sum log_likelihood;
  Sum weight;
  ForEachBatch(reader, [&](const Batch& batch) {
    const std::vector<double> weights = model.RowWeights(reader.columns(), batch);
    const std::vector<double> scores = model.Score(reader.columns(), batch, threads, weights);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double row_weight = weights.empty() ? 1 : weights[i];
      if (row_weight > 0) log_likelihood.Add(row_weight * scores[i]);  // 0 times -inf is no number
      weight.Add(row_weight);
    }
    if (!weights.empty()) result.weight = weight.Value();
    result.rows += batch.rows;
    known_values.Take(batch);
  });
  known_values.Warn();
  if (result.rows == 0) throw Error(ErrorKind::kInput, reader.source() + " has 0 rows: nothing to evaluate");
  if (weight.Value() == 0) {
    throw Error(ErrorKind::kInput, reader.source() + ", column `" + *model.weights_column() +
                                       "`: all weights are zero: nothing to evaluate");
  }
  result.nll = -log_likelihood.Value() / weight.Value();
  result.bits_per_dim = result.nll / (static_cast<double>(model.schema().columns.size()) * std::numbers::ln2);
  return result;
}

void Run(const Arguments& arguments) {
  const Model model = Model::Load(arguments.model);
  const auto reader = OpenTable(arguments.table, arguments.reading);
  const Result result = Evaluate(model, *reader, arguments.threads);
  if (arguments.json) {
    nlohmann::ordered_json json = {{"rows", result.rows}};
    if (result.weight) json["weight"] = *result.weight;
    json["nll"] = result.nll;
    json["bits_per_dim"] = result.bits_per_dim;
    PrintJson(json);
    return;
  }
  std::string lines = "rows                " + std::to_string(result.rows) + "\n";
  if (result.weight) {
    lines += "weight              " + Fixed(*result.weight) + ", by `" + *model.weights_column() + "`\n";
  }
  Print(lines +                                                           //
        "NLL                 " + Fixed(result.nll) + " nats per row\n" +  //
        "bits per dimension  " + Fixed(result.bits_per_dim) + "\n");
}

}  // namespace

Verb AddEval(CLI::App& root) {
  CLI::App& app = AddVerb(
      root, "eval", "mean negative log-likelihood of a table's rows, in nats",
      "Where the table has the column that the model was fitted with as --weights, a row counts as often as that "
      "says.");
  const auto arguments = std::make_shared<Arguments>();
  AddFile(app, "MODEL", &arguments->model, "a model made by dtf fit");
  AddFile(app, "TABLE", &arguments->table, "a table with the model's columns, in any order");
  AddJson(app, &arguments->json);
  AddThreads(app, &arguments->threads);
  AddReadingOptions(app, &arguments->reading);
  return {&app, [arguments] { Run(*arguments); }};
}

}  // namespace dtf::cli
