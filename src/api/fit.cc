#include "dtf/fit.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/check_rows.h"
#include "api/fit_inputs.h"
#include "api/model_impl.h"
#include "api/row_weights.h"
#include "base/stop.h"
#include "dtf/error.h"
#include "table/binning.h"

namespace dtf {
namespace {

std::string Describe(const BinsRequest& bins) {
  return bins.column + "=" + std::to_string(bins.bins) + (bins.equal_width ? ":width" : "");
}

// The options as the fit took them: however they were written, and whether a default was given or left out, the same
// fit has the same record.
std::vector<std::pair<std::string, std::string>> RecordOptions(const FitOptions& options, const FlowOptions& flow,
                                                               const SchemaOptions& schema) {
  std::vector<std::pair<std::string, std::string>> record;
  if (const auto* layers = std::get_if<LayerOptions>(&flow.family)) {
    record = {{"model", "tsp"},
              {"criterion", options.criterion.value_or("glp-aligned")},
              {"layers", layers->layers ? std::to_string(*layers->layers) : "auto"},
              {"max-depth", std::to_string(layers->grow.max_depth)},
              {"min-split", FormatNumber(layers->grow.min_split_rows)},
              {"base", layers->conditional_base ? "conditional" : "independent"},
              {"alpha", FormatNumber(layers->alpha)},
              {"features-per-node", std::to_string(layers->grow.features_per_node)}};
    if (layers->split_values != 1) record.emplace_back("split-values", std::to_string(layers->split_values));
  } else {
    const auto& forest = std::get<ForestOptions>(flow.family);
    record = {{"model", "autoregressive"},
              {"conditioner", options.conditioner.value_or("auto")},
              {"base", forest.conditional_base ? "conditional" : "independent"},
              {"alpha", FormatNumber(forest.alpha)}};
    if (options.order) record.emplace_back("order", *options.order);
    if (forest.members) record.emplace_back("members", std::to_string(*forest.members));
    if (options.time) record.emplace_back("time", FormatNumber(*options.time));
  }
  record.emplace_back("closed", schema.closed ? "true" : "false");
  record.emplace_back("refit", options.refit ? "true" : "false");
  record.emplace_back("seed", std::to_string(options.seed));
  const double fraction = ValidFraction(flow);
  if (fraction != DefaultValidFraction(flow)) record.emplace_back("valid-fraction", FormatNumber(fraction));
  if (schema.allow_unique) record.emplace_back("allow-unique", "true");
  if (schema.weights) record.emplace_back("weights", *schema.weights);
  for (const auto& column : schema.ordered) record.emplace_back("ordered", column);
  for (const auto& bins : schema.bins) record.emplace_back("bins", Describe(bins));
  return record;
}

}  // namespace

FitResult Fit(const FitInputs& inputs, const FitOptions& options, const FitListener& listener, std::stop_token stop) {
  const StopScope scope(std::move(stop));
  const bool closed = options.closed || inputs.domain != nullptr;
  FlowOptions flow_options = ParseFlowOptions(options, closed);
  SchemaOptions schema_options = ParseSchemaOptions(options, closed);
  schema_options.missing.assign(inputs.missing.begin(), inputs.missing.end());
  CheckTable(inputs.train);
  if (inputs.valid != nullptr) CheckTable(*inputs.valid);
  if (inputs.domain != nullptr) CheckTable(*inputs.domain);

  std::vector<std::string> warnings;
  const std::vector<double> weights = ReadWeights(inputs, options, warnings);
  std::vector<const NamedTable*> tables = {&inputs.train};
  if (inputs.domain != nullptr) tables.push_back(inputs.domain);
  Schema schema = BuildSchema(tables, weights, schema_options, warnings);
  CompleteFlowOptions(options, inputs.train.rows.source, schema, flow_options);
  const WeightedRows rows = EncodeRows(schema, inputs.train, options.weights, weights, Encoder::Unseen::kSlot);
  std::optional<WeightedRows> valid;
  if (inputs.valid != nullptr) {
    const bool weighted = options.weights && FindColumn(inputs.valid->headers, *options.weights);
    const auto valid_weights = weighted ? ReadWeights(*inputs.valid, options.weights, warnings) : std::vector<double>();
    valid = EncodeRows(schema, *inputs.valid, options.weights, valid_weights,
                       closed ? Encoder::Unseen::kError : Encoder::Unseen::kSlot);
    if (!closed) WarnOfUnknownColumns(schema, *inputs.valid, options.weights, warnings);
    if (valid->codes.rows == 0) throw Error(ErrorKind::kInput, inputs.valid->rows.source + " has no rows to choose by");
  }

  if (!valid) WarnOfHoldOut(options, flow_options, rows, warnings);

  const auto tell = [&](const FitProgress& progress) {
    if (listener && !listener(progress)) throw Error(ErrorKind::kInterrupted, "interrupted");
  };
  for (const std::string& warning : warnings) tell({false, FitStep::kWarning, {}, std::nullopt, warning, 0});
  const auto start = std::chrono::steady_clock::now();
  FlowFit fit = FitFlow(rows, std::move(valid), KindsOf(schema), flow_options, [&](const FlowProgress& step) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    tell({step.refit, step.step, step.point, step.of, step.note, elapsed.count()});
  });
  const double train_nll = fit.train_nll;
  FitRecord record{RecordOptions(options, flow_options, schema_options), rows.TotalRows(), train_nll,
                   std::move(fit.curve)};
  ModelContent content{std::move(schema), std::move(record), std::move(fit.flow)};
  return {Model(std::make_shared<const Model::Impl>(std::move(content))), train_nll, fit.valid_nll, std::move(warnings),
          std::move(fit.choices)};
}

}  // namespace dtf
