#include "api/fit_inputs.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <map>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/column_names.h"
#include "base/parallel.h"
#include "dtf/error.h"
#include "dtf/fit_option.h"
#include "learn/forest/judge.h"
#include "learn/forest/merge_rows.h"
#include "table/binning.h"
#include "table/category_order.h"

namespace dtf {
namespace {

constexpr std::size_t kMostRows = std::size_t{1} << 31;

void Require(bool condition, const std::string& message) {
  if (!condition) throw Error(ErrorKind::kUsage, message);
}

// Refuses a value that the table of options does not allow.
class ValueCheck {
 public:
  explicit ValueCheck(const FitOption& option) : option_(option) {}

  void operator()(bool) const {}
  void operator()(const std::vector<std::string>&) const {}
  template <typename T>
  void operator()(const std::optional<T>& value) const {
    if (value) (*this)(*value);
  }
  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void operator()(Number value) const {
    Require(!option_.range || IsWithin(static_cast<double>(value)), "--" + option_.name + " must lie " + Bounds());
  }
  void operator()(const std::string& text) const {
    if (option_.choices.empty() || std::ranges::find(option_.choices, text) != option_.choices.end()) return;
    std::string allowed;
    for (const std::string& choice : option_.choices) allowed += (allowed.empty() ? "" : " or ") + choice;
    if (option_.range) allowed += " or a whole number " + Bounds();
    Require(option_.range && IsWithin(WholeNumber(text)), "--" + option_.name + " " + text + ": give " + allowed);
  }

 private:
  static double WholeNumber(const std::string& text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = error == std::errc() && end == text.data() + text.size();
    return is_whole ? number : std::numeric_limits<double>::quiet_NaN();
  }

  bool IsWithin(double value) const { return value >= option_.range->least && value <= option_.range->most; }
  std::string Bounds() const {
    const auto [least, most] = *option_.range;
    constexpr double kNoBound = 0x1p63;  // of whole numbers, or none at all
    if (most > kNoBound) return "at " + FormatNumber(least) + " or above";
    return "between " + FormatNumber(least) + " and " + FormatNumber(most);
  }

  const FitOption& option_;
};

void CheckValues(const FitOptions& options) {
  for (const FitOption& option : FitOptionTable()) {
    std::visit([&](auto field) { ValueCheck{option}(options.*field); }, option.field);
  }
}

CriterionKind CriterionOf(const std::string& name) {
  static const std::map<std::string, CriterionKind> kinds = {{"glp", CriterionKind::kGlp},
                                                             {"glp-code", CriterionKind::kGlpCode},
                                                             {"glp-aligned", CriterionKind::kGlpAligned},
                                                             {"random", CriterionKind::kRandom}};
  return kinds.at(name);
}

ConditionerKind ConditionerOf(const std::string& name) {
  static const std::map<std::string, ConditionerKind> kinds = {{"auto", ConditionerKind::kAuto},
                                                               {"tree", ConditionerKind::kTree},
                                                               {"linear", ConditionerKind::kLinear},
                                                               {"boosted", ConditionerKind::kBoosted}};
  return kinds.at(name);
}

std::optional<int> LayersOf(const std::string& text) {
  if (text == "auto") return std::nullopt;
  return std::stoi(text);
}

// The columns of these names, each once.
std::vector<Feature> ParseOrder(const std::string& text, const std::string& source, const Schema& schema) {
  std::vector<Feature> order;
  std::vector<bool> named(schema.columns.size());
  for (const std::string& name : SplitNames(text)) {
    const auto found = std::ranges::find(schema.columns, name, &ColumnSchema::name);
    if (found == schema.columns.end()) ThrowNoSuchColumn("--order", name, source, NamesOf(HeadersOf(schema)));
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
  const bool is_tsp = options.model == "tsp" || (options.model == "auto" && has_own);
  const std::string own = "--criterion, --split-values, --layers, --max-depth, --min-split and --features-per-node";
  const std::string others = "--conditioner, --order, --members and --time";
  Require(!is_tsp || !has_others, others + " are for --model autoregressive" +
                                      (options.model == "auto" ? ", " + own + " for --model tsp" : ""));
  Require(is_tsp || !has_own, own + " are for --model tsp");
  return is_tsp;
}

bool HasConditionalBase(const FitOptions& options, const std::string& by_default) {
  return options.base.value_or(by_default) == "conditional";
}

LayerOptions ParseLayerOptions(const FitOptions& options, bool closed) {
  const LayerOptions defaults;
  LayerOptions layers;
  layers.grow.max_depth = options.max_depth.value_or(defaults.grow.max_depth);
  layers.grow.min_split_rows = options.min_split.value_or(defaults.grow.min_split_rows);
  layers.grow.features_per_node = options.features_per_node.value_or(defaults.grow.features_per_node);
  layers.conditional_base = HasConditionalBase(options, "independent");
  layers.criterion = CriterionOf(options.criterion.value_or("glp-aligned"));
  layers.split_values = options.split_values.value_or(defaults.split_values);
  layers.layers = LayersOf(options.layers.value_or("auto"));
  layers.alpha = options.alpha.value_or(defaults.alpha);
  layers.closed = closed;
  layers.seed = options.seed;
  layers.threads = ThreadCount(options.threads);
  return layers;
}

ForestOptions ParseForestOptions(const FitOptions& options, bool closed) {
  ForestOptions forest;
  forest.conditioner = ConditionerOf(options.conditioner.value_or("auto"));
  forest.conditional_base = HasConditionalBase(options, "conditional");
  forest.members = options.members;
  // With an independent base: one flow in the paper's sense, to one latent space, unless a mixture is asked for.
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
  CheckValues(options);
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

void CompleteFlowOptions(const FitOptions& options, const std::string& source, const Schema& schema,
                         FlowOptions& flow) {
  auto* forest = std::get_if<ForestOptions>(&flow.family);
  if (forest == nullptr) return;
  const std::string order = options.order.value_or("");
  Require(!options.order || !order.empty(), "--order names no column; give natural, random or all columns");
  if (order == "natural") forest->order = OrderKind::kNatural;
  if (order == "random") forest->order = OrderKind::kRandom;
  if (!order.empty() && order != "natural" && order != "random") {
    forest->order = OrderKind::kGiven;
    forest->given_order = ParseOrder(order, source, schema);
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
  const CategoryIndex index(schema);
  const Encoder encoder(index, table.headers, table.rows.source, weights_column);
  return MakeWeightedRows(encoder.Encode(table.rows, unseen, weights), weights);
}

void WarnOfUnknownColumns(const Schema& schema, const NamedTable& table,
                          const std::optional<std::string>& weights_column, std::vector<std::string>& warnings) {
  const CategoryIndex index(schema);
  const Encoder encoder(index, table.headers, table.rows.source, weights_column);
  std::ranges::move(DescribeUnknownColumns(schema, encoder.CountValues(table.rows), table.rows.source),
                    std::back_inserter(warnings));
}

void WarnOfHoldOut(const FitOptions& options, const FlowOptions& flow, const WeightedRows& rows,
                   std::vector<std::string>& warnings) {
  std::string given = options.valid_fraction ? "--valid-fraction" : "";
  if (!options.refit) given += given.empty() ? "--no-refit" : " and --no-refit";
  if (given.empty() || !std::holds_alternative<ForestOptions>(flow.family)) return;
  if (Judge::CrossValidates(MergeEqualRows(rows), nullptr)) {
    warnings.push_back(
        "no effect of " + given +
        ": in a table of so few cells (those of equal rows counted once) models are chosen by cross-validation, and "
        "the final one is learnt from all rows; only rows that a fit is given as --valid are never learnt from");
    return;
  }
  const std::string conditioner = options.conditioner.value_or("auto");
  if (ValidFraction(flow) == 0 && (conditioner == "boosted" || conditioner == "linear")) {
    warnings.push_back("no effect of --conditioner " + conditioner +
                       ": no rows are held out to say how much of it to learn, so that averaged trees take its place; "
                       "give --valid, or a --valid-fraction above 0");
  }
}

ColumnKinds KindsOf(const Schema& schema) {
  ColumnKinds columns;
  for (const auto& column : schema.columns) {
    columns.sizes.push_back(column.size());
    columns.ordered.push_back(column.ordered);
    columns.has_missing.push_back(column.has_missing);
    columns.binned.push_back(column.bins.has_value());
    columns.numbers.push_back(std::ranges::all_of(column.categories, IsCanonicalDecimal));
  }
  return columns;
}

}  // namespace dtf
