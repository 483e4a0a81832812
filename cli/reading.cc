#include "reading.h"

#include <optional>
#include <utility>

#include "options.h"

namespace dtf::cli {
namespace {

std::string CheckDelimiter(const std::string& text) {
  const bool is_one_byte = text.size() == 1 && text != "\"" && text != "\n" && text != "\r";
  if (is_one_byte || text == "\\t") return {};
  return "`" + text + "` is not one character, or \\t for the tab";
}

std::optional<char> Delimiter(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return text == "\\t" ? '\t' : text.front();
}

// `COL=TEXT` or `TEXT`; the first `=` counts, and with nothing before it the rest is the text.
MissingMarker Marker(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {std::nullopt, text};
  if (equals == 0) return {std::nullopt, text.substr(1)};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

ReadOptions ToReadOptions(const ReadingArguments& arguments) {
  ReadOptions options;
  options.delimiter = Delimiter(arguments.delimiter);
  options.header = arguments.header;
  options.missing = MissingMarkers(arguments);
  options.drop = arguments.drop;
  options.keep = arguments.keep;
  return options;
}

}  // namespace

void AddReadingOptions(CLI::App& app, ReadingArguments* arguments) {
  const std::string group = "Reading tables (.csv .tsv, also .gz; .parquet .arrow; - is standard input)";
  AddText(app, "--delimiter", &arguments->delimiter, "C", "between the cells of a line")
      ->check(CLI::Validator(CheckDelimiter, "", ""))
      ->default_str("comma; tab for .tsv")
      ->group(group);
  AddOnOff(app, "header", &arguments->header, "the first line names the columns; without: c1, c2, …")->group(group);
  AddTexts(app, "--missing", &arguments->missing, "[COL=]TEXT",
           "TEXT means missing, in COL or everywhere; a TEXT with an = in it: =TEXT")
      ->group(group);
  AddTexts(app, "--drop", &arguments->drop, "COL", "leave this column out")->group(group);
  AddTexts(app, "--keep", &arguments->keep, "COL", "read these columns only")->group(group);
}

std::vector<MissingMarker> MissingMarkers(const ReadingArguments& arguments) {
  std::vector<MissingMarker> markers;
  for (const std::string& text : arguments.missing) markers.push_back(Marker(text));
  return markers;
}

std::unique_ptr<TableReader> OpenTable(const std::string& path, const ReadingArguments& arguments) {
  return dtf::OpenTable(path, ToReadOptions(arguments));
}

NamedTable ReadTable(const std::string& path, const ReadingArguments& arguments) {
  const std::unique_ptr<TableReader> reader = OpenTable(path, arguments);
  Batch rows = ReadAll(*reader);
  return {reader->columns(), std::move(rows)};
}

}  // namespace dtf::cli
