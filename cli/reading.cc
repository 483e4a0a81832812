#include "reading.h"

#include <optional>
#include <utility>

#include "options.h"
#include "output.h"

namespace dtf::cli {
namespace {

std::string CheckDelimiter(const std::string& text) {
  const bool is_one_byte = text.size() == 1 && text != "\"" && text != "\n" && text != "\r";
  if (is_one_byte || text == "\\t") return {};
  return "`" + text + "` is not one character of ASCII other than a quote, or \\t for the tab";
}

std::optional<char> Delimiter(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return text == "\\t" ? '\t' : text.front();
}

ReadOptions ToReadOptions(const ReadingArguments& arguments) {
  ReadOptions options;
  options.delimiter = Delimiter(arguments.delimiter);
  options.header = arguments.header;
  options.missing = arguments.missing;
  options.drop = arguments.drop;
  options.keep = arguments.keep;
  return options;
}

// Whether the marker is for a column of the table, and for one whose cells are typed.
struct MarkedColumns {
  bool any = false;
  bool typed = false;
};

MarkedColumns ColumnsOf(const MissingMarker& marker, const std::vector<ColumnHeader>& headers) {
  MarkedColumns columns;
  for (const ColumnHeader& header : headers) {
    if (marker.column.value_or(header.name) != header.name) continue;
    columns.any = true;
    columns.typed = columns.typed || header.type != "string";
  }
  return columns;
}

}  // namespace

void AddReadingOptions(CLI::App& app, ReadingArguments* arguments) {
  const std::string group = "Reading tables (.csv .tsv, also .gz; .parquet .arrow; - is standard input)";
  AddText(app, "--delimiter", &arguments->delimiter, "C", "character between the cells of a line")
      .Check(CheckDelimiter)
      .Default("comma; tab for .tsv")
      .Group(group);
  AddOnOff(app, "header", &arguments->header, "the first line names the columns; without: c1, c2, …").Group(group);
  AddTexts(
      app, "--missing", &arguments->missing, "[COL=]TEXT",
      "TEXT means missing, in column COL (the longest name that fits), or without COL in all columns; =TEXT: a TEXT "
      "with an =, in all columns; in typed columns TEXT is a value's shortest text, as -999 or 0.5")
      .Group(group);
  AddTexts(app, "--drop", &arguments->drop, "COL", "leave column COL out").Group(group);
  AddTexts(app, "--keep", &arguments->keep, "COL", "read only the columns given this way").Group(group);
}

std::unique_ptr<TableReader> OpenTable(const std::string& path, const ReadingArguments& arguments) {
  return dtf::OpenTable(path, ToReadOptions(arguments));
}

NamedTable ReadTable(const std::string& path, const ReadingArguments& arguments) {
  return ReadMarkedTable(path, arguments).table;
}

MarkedTable ReadMarkedTable(const std::string& path, const ReadingArguments& arguments) {
  const std::unique_ptr<TableReader> reader = OpenTable(path, arguments);
  Batch rows = ReadAll(*reader);
  MarkedTable marked{.table = {reader->columns(), std::move(rows)}, .missing = reader->missing(), .has_met = {}};
  for (std::size_t i = 0; i < marked.missing.size(); ++i) marked.has_met.push_back(reader->HasMet(i));
  return marked;
}

void WarnOfIdleMarkers(const ReadingArguments& arguments, const MarkedTable& train,
                       const std::optional<MarkedTable>& valid, const std::optional<MarkedTable>& domain) {
  for (std::size_t i = 0; i < arguments.missing.size(); ++i) {
    const MarkedColumns columns = ColumnsOf(train.missing[i], train.table.headers);
    const bool has_met = train.has_met[i] || (valid && valid->has_met[i]) || (domain && domain->has_met[i]);
    if (!columns.any || has_met) continue;
    const auto& [column, text] = train.missing[i];
    PrintMessage("warning: --missing " + arguments.missing[i] + ": `" + text + "` stands in no cell of " +
                 (column ? "column `" + *column + "` of " : "") + train.table.rows.source +
                 (columns.typed
                      ? "; a typed value is known by its shortest text, as -999 (not -999.0), 0.5 or 2020-01-31"
                      : ""));
  }
}

void WarnOfOneColumn(const ReadingArguments& arguments, const MarkedTable& table) {
  const bool is_text = !table.table.rows.lines.empty();
  const bool has_others = !arguments.drop.empty() || !arguments.keep.empty();
  if (!is_text || has_others || table.table.headers.size() != 1) return;
  const std::string& name = table.table.headers[0].name;
  const std::size_t found = name.find_first_of(";\t|");
  if (found == std::string::npos || name[found] == Delimiter(arguments.delimiter)) return;
  const std::string delimiter = name[found] == '\t' ? "\\t" : std::string(1, name[found]);
  PrintMessage("warning: " + table.table.rows.source + " has a single column, `" + name + "`; if `" + delimiter +
               "` stands between its cells, say --delimiter '" + delimiter + "'");
}

}  // namespace dtf::cli
