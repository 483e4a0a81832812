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

// The next three throw Error(kUsage) for values that make no sense. `closed`: whether the model shall have no unseen
// slots.
FlowOptions ParseFlowOptions(const FitOptions& options, bool closed);
SchemaOptions ParseSchemaOptions(const FitOptions& options, bool closed);

// What of the options only the columns can tell: an order of theirs.
// `source`: the table's name, for messages.
void CompleteFlowOptions(const FitOptions& options, const std::string& source, const Schema& schema, FlowOptions& flow);

// The table's rows in the schema's codes. `weights_column`: a column that the schema lacks. `unseen`: what becomes of a
// value without a category; rows of weight 0 may have some.
WeightedRows EncodeRows(const Schema& schema, const NamedTable& table, const std::optional<std::string>& weights_column,
                        std::span<const double> weights, Encoder::Unseen unseen);

// Adds a warning when the options say which rows to hold out, or not to learn from them again, and these rows, being
// few, each judge what the others have taught, and are all learnt from in the end. And when no rows are held out from
// many, and nothing then says how much of a conditioner to learn.
void WarnOfHoldOut(const FitOptions& options, const FlowOptions& flow, const WeightedRows& rows,
                   std::vector<std::string>& warnings);

ColumnKinds KindsOf(const Schema& schema);

}  // namespace dtf
