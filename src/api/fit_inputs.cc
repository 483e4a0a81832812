#include "api/fit_inputs.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "base/parallel.h"
#include "dtf/error.h"

namespace dtf {
namespace {

constexpr int kMostLayers = 100000;

constexpr double kMostAlpha = 1e100;
constexpr std::size_t kMostRows = std::size_t{1} << 31;

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

}  // namespace

FlowOptions ParseFlowOptions(const FitOptions& options, bool closed) {
  Require(options.max_depth >= 0 && options.max_depth <= kMaxTreeDepth,
          "--max-depth must lie between 0 and " + std::to_string(kMaxTreeDepth));
  Require(options.min_split >= 0, "--min-split must not be negative");
  Require(options.alpha >= 0 && options.alpha <= kMostAlpha, "--alpha must lie between 0 and 1e100");
  Require(!options.valid_fraction || (*options.valid_fraction >= 0 && *options.valid_fraction < 1),
          "--valid-fraction must lie between 0 and 1");
  Require(options.threads >= 0, "--threads must not be negative");
  FlowOptions flow;
  flow.layers.criterion = ParseCriterion(options.criterion);
  flow.layers.layers = ParseLayers(options.layers);
  flow.layers.grow = {.max_depth = options.max_depth,
                      .min_split_rows = options.min_split,
                      .features_per_node = options.features_per_node};
  flow.layers.alpha = options.alpha;
  flow.layers.closed = closed;
  flow.layers.seed = options.seed;
  flow.layers.threads = ThreadCount(options.threads);
  flow.valid_fraction = options.valid_fraction;
  flow.refit = options.refit;
  return flow;
}

SchemaOptions ParseSchemaOptions(const FitOptions& options, bool closed) {
  SchemaOptions schema{
      .ordered = options.ordered, .weights = options.weights, .closed = closed, .allow_unique = options.allow_unique};
  for (const auto& text : options.bins) {
    schema.bins.push_back(ParseBinsRequest(text));
    const std::string& column = schema.bins.back().column;
    const auto same = [&](const BinsRequest& bins) { return bins.column == column; };
    Require(std::count_if(schema.bins.begin(), schema.bins.end(), same) == 1, "--bins: `" + column + "` is cut twice");
    Require(options.weights != column, "--bins: `" + column + "` holds the weights");
  }
  return schema;
}

std::vector<double> ReadWeights(const NamedTable& table, const std::optional<std::string>& name) {
  if (!name) return {};
  const auto header = std::find_if(table.headers.begin(), table.headers.end(),
                                   [&](const ColumnHeader& column) { return column.name == *name; });
  Require(header != table.headers.end(), "--weights: " + table.rows.source + " has no column `" + *name + "`");
  const TextColumn& column = table.rows.columns[header - table.headers.begin()];
  std::vector<std::optional<double>> entries;
  for (const auto& text : column.dictionary) entries.push_back(ParseNumber(text));
  std::vector<double> weights;
  double total = 0;
  for (std::size_t i = 0; i < column.cells.size(); ++i) {
    const Code cell = column.cells[i];
    const auto weight = cell == kMissingCell ? std::nullopt : entries[cell];
    if (!weight || *weight < 0) {
      const std::string value = cell == kMissingCell ? "a missing cell" : "`" + column.dictionary[cell] + "`";
      throw Error(ErrorKind::kInput, DescribeRow(table.rows, i) + ", column `" + *name + "`: " + value +
                                         " is no weight; weights are numbers that are not negative");
    }
    weights.push_back(*weight);
    total += *weight;
  }
  if (!weights.empty() && !(total > 0)) {
    throw Error(ErrorKind::kInput, table.rows.source + ", column `" + *name + "`: all weights are 0");
  }
  return weights;
}

WeightedRows EncodeRows(const Schema& schema, const NamedTable& table, const std::optional<std::string>& weights_column,
                        std::span<const double> weights, Encoder::Unseen unseen) {
  if (table.rows.rows > kMostRows) throw Error(ErrorKind::kInput, table.rows.source + " has more than 2^31 rows");
  Encoder encoder(schema, table.headers, table.rows.source, weights_column);
  return MakeWeightedRows(encoder.Encode(table.rows, unseen), weights);
}

std::vector<Code> SizesOf(const Schema& schema) {
  std::vector<Code> sizes;
  for (const auto& column : schema.columns) sizes.push_back(column.size());
  return sizes;
}

double MeanNll(const Flow& flow, const WeightedRows& rows) {
  double nll = 0;
  double total = 0;
  const std::size_t block_rows = BlockRows(rows.codes.columns.size());
  std::vector<double> scores(block_rows);
  for (std::size_t first = 0; first < rows.codes.rows; first += block_rows) {
    CodeBlock block(rows.codes, first, std::min(block_rows, rows.codes.rows - first));
    flow.LogProb(block, scores);
    for (std::size_t i = 0; i < block.rows(); ++i) {
      const auto weight = static_cast<double>(rows.WeightOf(first + i));
      nll -= weight * scores[i];
      total += weight;
    }
  }
  return nll / total;
}

}  // namespace dtf
