#include "api/fit_inputs.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "base/parallel.h"
#include "dtf/error.h"
#include "learn/forest/judge.h"
#include "learn/forest/merge_rows.h"

namespace dtf {
namespace {

constexpr int kMostLayers = 100000;

constexpr double kMostAlpha = 1e100;
constexpr std::size_t kMostRows = std::size_t{1} << 31;
constexpr int kMostMembers = 1000;

void Require(bool condition, const std::string& message) {
  if (!condition) throw Error(ErrorKind::kUsage, message);
}

CriterionKind ParseCriterion(const std::string& name) {
  static const std::map<std::string, CriterionKind> kinds = {{"glp", CriterionKind::kGlp},
                                                             {"glp-code", CriterionKind::kGlpCode},
                                                             {"glp-aligned", CriterionKind::kGlpAligned},
                                                             {"random", CriterionKind::kRandom}};
  const auto found = kinds.find(name);
  Require(found != kinds.end(), "--criterion " + name + ": choose glp, glp-code, glp-aligned or random");
  return found->second;
}

std::optional<int> ParseLayers(const std::string& text) {
  if (text == "auto") return std::nullopt;
  int layers = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), layers);
  Require(error == std::errc() && end == text.data() + text.size() && layers >= 0 && layers <= kMostLayers,
          "--layers " + text + ": give auto or a whole number from 0 to " + std::to_string(kMostLayers));
  return layers;
}

// The columns of these names, each once.
std::vector<Feature> ParseOrder(const std::string& text, const Schema& schema) {
  std::vector<Feature> order;
  std::vector<bool> named(schema.columns.size());
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    begin = end + 1;
    const auto found = std::find_if(schema.columns.begin(), schema.columns.end(),
                                    [&](const ColumnSchema& column) { return column.name == name; });
    Require(found != schema.columns.end(), "--order: no column `" + name + "`; give natural, random or all columns");
    const auto column = static_cast<Feature>(found - schema.columns.begin());
    Require(!named[column], "--order names column `" + name + "` twice");
    named[column] = true;
    order.push_back(column);
  }
  for (std::size_t j = 0; j < named.size(); ++j) {
    Require(named[j], "--order does not name column `" + schema.columns[j].name + "`");
  }
  return order;
}

bool IsTsp(const FitOptions& options) {
  const bool has_own = options.criterion || options.split_values || options.layers || options.max_depth ||
                       options.min_split || options.features_per_node;
  const bool has_others = options.conditioner || options.order || options.members || options.time;
  Require(options.model == "auto" || options.model == "tsp" || options.model == "autoregressive",
          "--model " + options.model + ": choose auto, tsp or autoregressive");
  const bool is_tsp = options.model == "tsp" || (options.model == "auto" && has_own);
  const std::string own = "--criterion, --split-values, --layers, --max-depth, --min-split and --features-per-node";
  const std::string others = "--conditioner, --order, --members and --time";
  Require(!is_tsp || !has_others, others + " are for --model autoregressive" +
                                      (options.model == "auto" ? ", " + own + " for --model tsp" : ""));
  Require(is_tsp || !has_own, own + " are for --model tsp");
  return is_tsp;
}

std::string ParseBase(const FitOptions& options, const std::string& by_default) {
  std::string base = options.base.value_or(by_default);
  Require(base == "conditional" || base == "independent", "--base: choose independent or conditional");
  return base;
}

LayerOptions ParseLayerOptions(const FitOptions& options, bool closed) {
  const LayerOptions defaults;
  LayerOptions layers;
  layers.grow.max_depth = options.max_depth.value_or(6);
  layers.grow.min_split_rows = options.min_split.value_or(20);
  layers.grow.features_per_node = options.features_per_node.value_or(0);
  Require(layers.grow.max_depth >= 0 && layers.grow.max_depth <= kMaxTreeDepth,
          "--max-depth must lie between 0 and " + std::to_string(kMaxTreeDepth));
  Require(layers.grow.min_split_rows >= 0, "--min-split must not be negative");
  layers.conditional_base = ParseBase(options, "independent") == "conditional";
  layers.criterion = ParseCriterion(options.criterion.value_or("glp-aligned"));
  layers.split_values = options.split_values.value_or(1);
  Require(layers.split_values >= 1, "--split-values must be 1 or more");
  layers.layers = ParseLayers(options.layers.value_or("auto"));
  layers.alpha = options.alpha.value_or(defaults.alpha);
  layers.closed = closed;
  layers.seed = options.seed;
  layers.threads = ThreadCount(options.threads);
  return layers;
}

ForestOptions ParseForestOptions(const FitOptions& options, bool closed) {
  static const std::map<std::string, ConditionerKind> conditioners = {{"auto", ConditionerKind::kAuto},
                                                                      {"tree", ConditionerKind::kTree},
                                                                      {"linear", ConditionerKind::kLinear},
                                                                      {"boosted", ConditionerKind::kBoosted}};
  ForestOptions forest;
  const auto conditioner = conditioners.find(options.conditioner.value_or("auto"));
  Require(conditioner != conditioners.end(), "--conditioner: choose auto, tree, linear or boosted");
  Require(!options.members || (*options.members >= 1 && *options.members <= kMostMembers),
          "--members must lie between 1 and " + std::to_string(kMostMembers));
  Require(!options.time || *options.time >= 0, "--time must not be negative");
  forest.conditioner = conditioner->second;
  forest.conditional_base = ParseBase(options, "conditional") == "conditional";
  forest.members = options.members;
  // Members of an independent base are told apart by conditional ones: one alone needs no telling.
  if (!forest.conditional_base && !options.members) forest.members = 1;
  forest.seconds = options.time;
  forest.alpha = options.alpha.value_or(forest.alpha);
  forest.closed = closed;
  forest.seed = options.seed;
  forest.threads = ThreadCount(options.threads);
  return forest;
}

}  // namespace

FlowOptions ParseFlowOptions(const FitOptions& options, bool closed) {
  Require(!options.alpha || (*options.alpha >= 0 && *options.alpha <= kMostAlpha),
          "--alpha must lie between 0 and 1e100");
  Require(!options.valid_fraction || (*options.valid_fraction >= 0 && *options.valid_fraction < 1),
          "--valid-fraction must lie between 0 and 1");
  Require(options.threads >= 0, "--threads must not be negative");
  FlowOptions flow;
  if (IsTsp(options)) {
    flow.family = ParseLayerOptions(options, closed);
  } else {
    flow.family = ParseForestOptions(options, closed);
  }
  flow.valid_fraction = options.valid_fraction;
  flow.refit = options.refit;
  return flow;
}

void CompleteFlowOptions(const FitOptions& options, const Schema& schema, FlowOptions& flow) {
  auto* forest = std::get_if<ForestOptions>(&flow.family);
  if (forest == nullptr) return;
  const std::string order = options.order.value_or("");
  Require(!options.order || !order.empty(), "--order names no column; give natural, random or all columns");
  if (order == "natural") forest->order = OrderKind::kNatural;
  if (order == "random") forest->order = OrderKind::kRandom;
  if (!order.empty() && order != "natural" && order != "random") {
    forest->order = OrderKind::kGiven;
    forest->given_order = ParseOrder(order, schema);
  }
  for (const ColumnSchema& column : schema.columns) {
    Require(column.name != "member" || forest->members == 1,
            "the latent codes of a model with several members have a column `member` of their own; rename the table's "
            "column `member`, or give --members 1");
  }
}

SchemaOptions ParseSchemaOptions(const FitOptions& options, bool closed) {
  SchemaOptions schema{
      .ordered = options.ordered, .weights = options.weights, .closed = closed, .allow_unique = options.allow_unique};
  const auto require_column = [&](const std::string& option, const std::string& column) {
    Require(options.weights != column, option + ": `" + column + "` holds the weights, and is no column of the model");
  };
  for (const auto& column : options.ordered) require_column("--ordered", column);
  for (const auto& text : options.bins) {
    schema.bins.push_back(ParseBinsRequest(text));
    const std::string& column = schema.bins.back().column;
    const auto same = [&](const BinsRequest& bins) { return bins.column == column; };
    Require(std::count_if(schema.bins.begin(), schema.bins.end(), same) == 1, "--bins: `" + column + "` is cut twice");
    require_column("--bins", column);
  }
  return schema;
}

WeightedRows EncodeRows(const Schema& schema, const NamedTable& table, const std::optional<std::string>& weights_column,
                        std::span<const double> weights, Encoder::Unseen unseen) {
  if (table.rows.rows > kMostRows) throw Error(ErrorKind::kInput, table.rows.source + " has more than 2^31 rows");
  Encoder encoder(schema, table.headers, table.rows.source, weights_column);
  return MakeWeightedRows(encoder.Encode(table.rows, unseen), weights);
}

void WarnOfIdleHoldOut(const FitOptions& options, const FlowOptions& flow, const WeightedRows& rows,
                       std::vector<std::string>& warnings) {
  std::string given = options.valid_fraction ? "--valid-fraction" : "";
  if (!options.refit) given += given.empty() ? "--no-refit" : " and --no-refit";
  if (given.empty() || !std::holds_alternative<ForestOptions>(flow.family)) return;
  if (!Judge::CrossValidates(MergeEqualRows(rows), nullptr)) return;
  warnings.push_back(
      "no effect of " + given +
      ": a table of so few cells is judged by cross-validation, and learnt from all of its rows; only rows that a "
      "fit is given as --valid are never learnt from");
}

ColumnKinds KindsOf(const Schema& schema) {
  ColumnKinds columns;
  for (const auto& column : schema.columns) {
    columns.sizes.push_back(column.size());
    columns.ordered.push_back(column.ordered);
  }
  return columns;
}

}  // namespace dtf
