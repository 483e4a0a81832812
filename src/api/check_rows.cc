#include "api/check_rows.h"

#include <algorithm>
#include <string>

#include "dtf/error.h"

namespace dtf {
namespace {

void Require(bool holds, const std::string& fault) {
  if (!holds) throw Error(ErrorKind::kInput, fault);
}

}  // namespace

void CheckBatch(const std::vector<ColumnHeader>& headers, const Batch& batch) {
  const std::string rows = std::to_string(batch.rows) + " rows";
  Require(batch.columns.size() == headers.size(),
          batch.source + ": a batch has " + std::to_string(batch.columns.size()) + " columns, but there are " +
              std::to_string(headers.size()) + " headers");
  Require(batch.lines.empty() || batch.lines.size() == batch.rows,
          batch.source + ": a batch of " + rows + " has the lines of " + std::to_string(batch.lines.size()));
  for (std::size_t j = 0; j < headers.size(); ++j) {
    const auto& [dictionary, cells] = batch.columns[j];
    const std::string column = "column `" + headers[j].name + "` of a batch";
    Require(cells.size() == batch.rows,
            batch.source + ": " + column + " of " + rows + " has " + std::to_string(cells.size()) + " cells");
    const auto known = [entries = dictionary.size()](Code cell) { return cell < entries || cell == kMissingCell; };
    const auto fault = std::ranges::find_if_not(cells, known);
    if (fault != cells.end()) {
      throw Error(ErrorKind::kInput, DescribeRow(batch, static_cast<std::size_t>(fault - cells.begin())) + ": " +
                                         column + " has entry " + std::to_string(*fault) + " of a dictionary of " +
                                         std::to_string(dictionary.size()));
    }
  }
}

void CheckTable(const NamedTable& table) { CheckBatch(table.headers, table.rows); }

void CheckWeightCount(const Batch& batch, std::span<const double> weights) {
  Require(weights.size() == batch.rows, batch.source + " has " + std::to_string(batch.rows) + " rows, but there are " +
                                            std::to_string(weights.size()) + " weights");
}

void CheckLatent(const std::vector<LatentColumn>& columns, const std::vector<std::vector<Code>>& latent) {
  Require(latent.size() == columns.size(), "latent codes have " + std::to_string(latent.size()) +
                                               " columns, but the model has " + std::to_string(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const std::string column = "latent column `" + columns[j].name + "`";
    Require(latent[j].size() == latent[0].size(), column + " has " + std::to_string(latent[j].size()) +
                                                      " rows, but the first one has " +
                                                      std::to_string(latent[0].size()));
    const auto fault = std::ranges::find_if(latent[j], [&](Code code) { return code >= columns[j].size; });
    if (fault != latent[j].end()) {
      throw Error(ErrorKind::kInput, column + ", row " + std::to_string(fault - latent[j].begin() + 1) + ": " +
                                         std::to_string(*fault) + " is no latent code; the column's codes are the " +
                                         "whole numbers 0.." + std::to_string(columns[j].size - 1));
    }
  }
}

}  // namespace dtf
