#include <algorithm>
#include <chrono>
#include <utility>

#include "api/check_rows.h"
#include "api/describe_flow.h"
#include "api/fit_inputs.h"
#include "api/row_weights.h"
#include "base/parallel.h"
#include "base/random.h"
#include "dtf/error.h"
#include "dtf/fit.h"
#include "learn/mean_nll.h"

namespace dtf {
namespace {

// A number for each row: 0 … folds - 1 is the fold that tests it; `folds` for rows that no fold tests.
std::vector<int> AssignFolds(std::size_t rows, const CrossvalOptions& crossval) {
  std::vector<std::size_t> order(rows);
  for (std::size_t i = 0; i < rows; ++i) order[i] = i;
  if (!crossval.contiguous) {
    RandomStream(crossval.shuffle_seed, RandomPurpose::kShuffle, 0).DrawFirst(std::span(order), rows);
  }
  const std::size_t fold_rows = rows / crossval.folds;
  std::vector<int> fold(rows, crossval.folds);
  for (std::size_t i = 0; i < fold_rows * crossval.folds; ++i) fold[order[i]] = static_cast<int>(i / fold_rows);
  return fold;
}

// The rows that a fold tests, or those that it learns from.
WeightedRows RowsOf(const WeightedRows& rows, const std::vector<int>& fold_of, int fold, bool tested) {
  std::vector<std::uint64_t> weights(fold_of.size());
  for (std::size_t i = 0; i < fold_of.size(); ++i) {
    if ((fold_of[i] == fold) == tested) weights[i] = rows.WeightOf(i);
  }
  return rows.Reweighted(weights);
}

FoldResult FitFold(const WeightedRows& rows, const std::vector<int>& fold_of, int fold, const ColumnKinds& columns,
                   const FlowOptions& options, int threads) {
  const WeightedRows train_rows = RowsOf(rows, fold_of, fold, false);
  if (train_rows.codes.rows == 0) throw Error(ErrorKind::kInput, "a fold has no rows to learn from");
  const auto start = std::chrono::steady_clock::now();
  const FlowFit fit = FitFlow(train_rows, std::nullopt, columns, options, [](const FlowProgress&) {});
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  FoldResult result;
  result.seconds = elapsed.count();
  result.rows = train_rows.codes.rows;
  result.columns = columns.sizes.size();
  result.layers = LayerCount(*fit.flow);
  result.nodes = fit.flow->NodeCount();
  result.parameters = fit.flow->ParameterCount();
  result.train_nll = fit.train_nll;
  result.valid_nll = fit.valid_nll;
  result.nll = MeanNll(*fit.flow, RowsOf(rows, fold_of, fold, true), threads);
  return result;
}

}  // namespace

std::vector<FoldResult> Crossval(const NamedTable& table, const FitOptions& options, const CrossvalOptions& crossval,
                                 const std::function<void(const FoldResult&)>& listener,
                                 const std::function<void(const std::string&)>& warn) {
  FlowOptions flow_options = ParseFlowOptions(options, options.closed);
  if (crossval.folds < 2) throw Error(ErrorKind::kUsage, "--folds must be 2 or more");
  CheckTable(table);
  std::vector<std::string> warnings;
  const std::vector<double> weights = ReadWeights(table, options.weights, warnings);
  const NamedTable* const tables[] = {&table};
  const Schema schema = BuildSchema(tables, weights, ParseSchemaOptions(options, options.closed), warnings);
  CompleteFlowOptions(options, table.rows.source, schema, flow_options);
  const WeightedRows rows = EncodeRows(schema, table, options.weights, weights, Encoder::Unseen::kSlot);
  if (rows.codes.rows < static_cast<std::size_t>(crossval.folds)) {
    throw Error(ErrorKind::kUsage, "--folds " + std::to_string(crossval.folds) + ": " + table.rows.source +
                                       " has only " + std::to_string(rows.codes.rows) + " rows");
  }
  const std::vector<int> fold_of = AssignFolds(rows.codes.rows, crossval);
  WarnOfHoldOut(options, flow_options, RowsOf(rows, fold_of, 0, false), warnings);
  if (warn) std::for_each(warnings.begin(), warnings.end(), warn);
  std::vector<FoldResult> results;
  for (int fold = 0; fold < crossval.folds; ++fold) {
    results.push_back(FitFold(rows, fold_of, fold, KindsOf(schema), flow_options, ThreadCount(options.threads)));
    if (listener) listener(results.back());
  }
  return results;
}

}  // namespace dtf
