// From tables to the schema that a fit gives its model.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dtf/schema.h"
#include "dtf/table.h"
#include "table/binning.h"

namespace dtf {

struct SchemaOptions {
  std::vector<BinsRequest> bins = {};
  std::vector<std::string> ordered = {};
  std::optional<std::string> weights = {};  // a column that is not part of the model
  std::vector<MissingMarker> missing = {};
  bool closed = false;
  bool allow_unique = false;
};

// The schema of these tables: columns, types and bins of the first one, categories of all. `row_weights`: of the first
// table's rows, empty when each counts once; a row of weight 0 is as if it were not there. Adds to `warnings` what a
// user should know. Throws Error(kInput) when the tables' columns differ, when there are no rows or columns, when a
// column looks like ids or raw numbers, or when one that is to be cut holds what is no number; Error(kUsage) for
// options that name a column that is not there.
Schema BuildSchema(std::span<const NamedTable* const> tables, std::span<const double> row_weights,
                   const SchemaOptions& options, std::vector<std::string>& warnings);

// The position in `headers` of each of `names`. `ignored` may be among the headers too. Throws Error(kInput) naming the
// columns of `source` that are missing, left over or there twice.
std::vector<std::size_t> MatchColumns(const std::vector<std::string>& names, const std::vector<ColumnHeader>& headers,
                                      const std::string& source, const std::optional<std::string>& ignored = {});

}  // namespace dtf
