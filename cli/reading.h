// The options of every verb that reads a table, and tables read in one piece.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dtf/fit.h"
#include "dtf/io.h"

namespace CLI {
class App;
}

namespace dtf::cli {

struct ReadingArguments {
  std::string delimiter;
  bool header = true;
  std::vector<std::string> missing;
  std::vector<std::string> drop;
  std::vector<std::string> keep;
};

void AddReadingOptions(CLI::App& app, ReadingArguments* arguments);

std::unique_ptr<TableReader> OpenTable(const std::string& path, const ReadingArguments& arguments);
NamedTable ReadTable(const std::string& path, const ReadingArguments& arguments);

// The same, and what --missing was for this table.
struct MarkedTable {
  NamedTable table;
  std::vector<MissingMarker> missing;  // of each --missing
  std::vector<bool> has_met;           // whether it stood in a cell
};
MarkedTable ReadMarkedTable(const std::string& path, const ReadingArguments& arguments);

// Prints a warning when a text file has one column whose name looks like several.
void WarnOfOneColumn(const ReadingArguments& arguments, const MarkedTable& table);

// Prints a warning for each marker that stands in no cell of these tables, and so is likely to be misspelt; but not for
// a marker of a column that is left out, which may be meant for other tables.
void WarnOfIdleMarkers(const ReadingArguments& arguments, const MarkedTable& train,
                       const std::optional<MarkedTable>& valid = {}, const std::optional<MarkedTable>& domain = {});

}  // namespace dtf::cli
