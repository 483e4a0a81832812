// From the options and tables of the public interface to those of the learner. Shared by Fit and Crossval.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dtf/fit.h"
#include "learn/fit_flow.h"
#include "table/encoder.h"
#include "table/schema_builder.h"

namespace dtf {

// Both throw Error(kUsage) for values that make no sense. `closed`: whether the model shall have no unseen slots.
FlowOptions ParseFlowOptions(const FitOptions& options, bool closed);
SchemaOptions ParseSchemaOptions(const FitOptions& options, bool closed);

// Fills in what depends on the table's columns: FitOptions::order. Throws Error(kUsage) when that does not name each
// column once. `source`: the table's name, for messages.
void CompleteFlowOptions(const FitOptions& options, const std::string& source, const Schema& schema, FlowOptions& flow);

// The table's rows in the schema's codes, those of weight 0 left out. `weights_column`: a column that is none of the
// schema's. `weights`: of each row; empty: 1 each. `unseen`: what becomes of a value without a category; in a row of
// weight 0 it is never an error. Throws Error(kInput) as Encoder does, and for more than 2^31 rows.
WeightedRows EncodeRows(const Schema& schema, const NamedTable& table, const std::optional<std::string>& weights_column,
                        std::span<const double> weights, Encoder::Unseen unseen);

// Adds a warning for each column in which the model of this schema knows no value of the table's.
void WarnOfUnknownColumns(const Schema& schema, const NamedTable& table,
                          const std::optional<std::string>& weights_column, std::vector<std::string>& warnings);

// Adds a warning when FitOptions::valid_fraction or refit is set and has no effect, as so small a table is scored by
// cross-validation and learnt from all of its rows in the end (Judge::CrossValidates). And another when no rows are
// held out of a larger table, so that nothing says how much of the given conditioner to learn. REQUIRES: there is no
// table of held-out rows.
void WarnOfHoldOut(const FitOptions& options, const FlowOptions& flow, const WeightedRows& rows,
                   std::vector<std::string>& warnings);

// What the learner has to know of the schema.
ColumnKinds KindsOf(const Schema& schema);

}  // namespace dtf
