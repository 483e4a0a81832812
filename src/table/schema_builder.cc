#include "table/schema_builder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include "base/column_names.h"
#include "dtf/error.h"
#include "table/category_order.h"

namespace dtf {
namespace {

constexpr std::size_t kManyCategories = 1000;
constexpr std::size_t kSuspiciousCategories = 100;
constexpr double kMostExactInteger = 0x1p53;

std::string Quoted(const std::string& name) { return "`" + name + "`"; }

bool IsOrderedType(const std::string& type) {
  if (type.starts_with("date") || type.starts_with("time") || type.starts_with("decimal")) return true;
  return type.starts_with("int") || type.starts_with("uint") || type.starts_with("float") || type == "double" ||
         type == "halffloat";
}

// How often each dictionary entry occurs among the cells; 0 for one that means missing.
std::vector<double> EntryWeights(const TextColumn& text, std::span<const double> weights, const ColumnSchema& column) {
  std::vector<double> of_entry(text.dictionary.size(), 0);
  for (std::size_t i = 0; i < text.cells.size(); ++i) {
    if (text.cells[i] != kMissingCell) of_entry[text.cells[i]] += weights.empty() ? 1 : weights[i];
  }
  for (std::size_t i = 0; i < of_entry.size(); ++i) {
    if (column.MeansMissing(text.dictionary[i])) of_entry[i] = 0;
  }
  return of_entry;
}

// The texts that mean missing in this column, as ColumnSchema keeps them.
std::vector<std::string> MissingTexts(const std::vector<MissingMarker>& markers, const std::string& column) {
  std::set<std::string> texts;
  for (const MissingMarker& marker : markers) {
    if (marker.column.value_or(column) == column) texts.insert(marker.text);
  }
  return {texts.begin(), texts.end()};
}

bool HasMissing(const TextColumn& text, std::span<const double> weights, const ColumnSchema& column) {
  std::vector<bool> means_missing(text.dictionary.size());
  for (std::size_t i = 0; i < means_missing.size(); ++i) means_missing[i] = column.MeansMissing(text.dictionary[i]);
  for (std::size_t i = 0; i < text.cells.size(); ++i) {
    const Code cell = text.cells[i];
    const bool is_missing = cell == kMissingCell || means_missing[cell];
    if (is_missing && (weights.empty() || weights[i] > 0)) return true;
  }
  return false;
}

// Rows of a weight above 0; with whole weights, their sum, as these stand for repeated rows.
std::size_t CountRows(std::size_t rows, std::span<const double> weights) {
  if (weights.empty()) return rows;
  if (std::ranges::all_of(weights, [](double weight) { return weight == std::floor(weight); })) {
    return static_cast<std::size_t>(std::accumulate(weights.begin(), weights.end(), 0.0));
  }
  return rows - static_cast<std::size_t>(std::ranges::count(weights, 0.0));
}

// Ids, free text and raw numbers make a model of no use: refuse them, or warn of them.
void CheckCategoryCount(const ColumnSchema& column, std::size_t rows, const SchemaOptions& options,
                        std::vector<std::string>& warnings) {
  const std::size_t categories = column.categories.size();
  if (options.allow_unique) return;
  const bool are_numbers = std::ranges::all_of(column.categories, IsCanonicalDecimal);
  const std::string what = "column " + Quoted(column.name) + " has " + std::to_string(categories) +
                           " different values in " + std::to_string(rows) + " rows";
  const std::string bins = are_numbers ? ", cut it into bins (--bins)" : "";
  if (categories <= (rows + 1) / 2) {
    if (are_numbers && categories > kManyCategories) {
      warnings.push_back(what + ", and each is learnt as a value of its own, which takes long; if these are " +
                         "amounts, not codes, cut it into bins (--bins)");
    }
    return;
  }
  if (categories > kManyCategories) {
    throw Error(ErrorKind::kInput, what + ": it looks like ids, free text or raw values; leave it out (--drop)" + bins +
                                       ", or insist (--allow-unique)");
  }
  if (categories >= kSuspiciousCategories) {
    warnings.push_back(what + "; if it holds ids or raw values, leave it out (--drop)" + bins);
  }
}

// Texts that are no numbers are in the order of their bytes, which is seldom what was meant.
void WarnOfTextOrder(const ColumnSchema& column, std::vector<std::string>& warnings) {
  if (column.categories.size() < 3 || std::ranges::all_of(column.categories, IsCanonicalDecimal)) return;
  warnings.push_back("column " + Quoted(column.name) + " is ordered as its texts are: " +
                     ListQuoted(column.categories) + "; if that is not their order, write numbers before them");
}

void ReadCategories(const TextColumn& text, std::span<const double> weights, ColumnSchema& column) {
  std::set<std::string> known(column.categories.begin(), column.categories.end());
  const auto of_entry = EntryWeights(text, weights, column);
  for (std::size_t i = 0; i < of_entry.size(); ++i) {
    if (of_entry[i] > 0) known.insert(text.dictionary[i]);
  }
  column.categories.assign(known.begin(), known.end());
}

// The numbers of a column that is to be cut into bins. Throws Error(kInput) for what is none.
std::vector<WeightedNumber> ReadNumbers(const NamedTable& table, const TextColumn& text,
                                        std::span<const double> weights, const ColumnSchema& column) {
  const auto of_entry = EntryWeights(text, weights, column);
  const auto fail = [&](std::size_t entry, const std::string& reason) {
    std::size_t row = 0;
    while (text.cells[row] != entry || (!weights.empty() && weights[row] == 0)) ++row;
    throw Error(ErrorKind::kInput, DescribeRow(table.rows, row) + ", column " + Quoted(column.name) + ": `" +
                                       text.dictionary[entry] + "` " + reason);
  };
  std::vector<WeightedNumber> numbers;
  for (std::size_t i = 0; i < of_entry.size(); ++i) {
    if (of_entry[i] == 0) continue;
    const std::string& entry = text.dictionary[i];
    const auto value = ParseNumber(entry);
    if (!value) {
      fail(i, "is not a number, so the column cannot be cut into bins; if it means missing, say --missing '" +
                  column.name + "=" + entry + "'");
    }
    if (std::abs(*value) > kMostExactInteger && entry.find_first_of(".eE") == std::string::npos) {
      fail(i, "is a whole number beyond 2^53, too large to be cut into bins exactly");
    }
    numbers.push_back({*value, entry, of_entry[i]});
  }
  return numbers;
}

void ReadBins(const NamedTable& table, const TextColumn& text, std::span<const double> weights,
              const BinsRequest& request, ColumnSchema& column) {
  std::vector<WeightedNumber> numbers = ReadNumbers(table, text, weights, column);
  if (numbers.empty()) {
    throw Error(ErrorKind::kInput,
                table.rows.source + ", column " + Quoted(column.name) + " has no values to cut into bins");
  }
  CutIntoBins(std::move(numbers), request, column);
}

// The columns a model has of this table.
std::vector<ColumnHeader> ModelColumns(const NamedTable& table, const std::optional<std::string>& weights) {
  std::vector<ColumnHeader> columns;
  for (const auto& header : table.headers) {
    if (header.name != weights) columns.push_back(header);
  }
  return columns;
}

void RequireColumn(const NamedTable& table, const std::string& name, const std::string& option) {
  const auto is_it = [&](const ColumnHeader& header) { return header.name == name; };
  if (std::none_of(table.headers.begin(), table.headers.end(), is_it)) {
    ThrowNoSuchColumn(option, name, table.rows.source, NamesOf(table.headers));
  }
}

}  // namespace

std::vector<std::size_t> MatchColumns(const std::vector<std::string>& names, const std::vector<ColumnHeader>& headers,
                                      const std::string& source, const std::optional<std::string>& ignored) {
  std::unordered_map<std::string, std::size_t> position;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (!position.emplace(headers[i].name, i).second) {
      throw Error(ErrorKind::kInput, source + " has the column " + Quoted(headers[i].name) + " twice");
    }
  }
  std::vector<std::size_t> matched;
  for (const std::string& name : names) {
    const auto found = position.find(name);
    if (found == position.end()) {
      throw Error(ErrorKind::kInput, source + " has no column " + Quoted(name) + ", which is needed; its columns are " +
                                         ListQuoted(NamesOf(headers)));
    }
    matched.push_back(found->second);
    position.erase(found);
  }
  for (const auto& header : headers) {
    if (position.contains(header.name) && header.name != ignored) {
      throw Error(ErrorKind::kInput,
                  source + " has the column " + Quoted(header.name) + ", which is not known; leave it out with --drop");
    }
  }
  return matched;
}

Schema BuildSchema(std::span<const NamedTable* const> tables, std::span<const double> row_weights,
                   const SchemaOptions& options, std::vector<std::string>& warnings) {
  const NamedTable& first = *tables.front();
  const std::vector<ColumnHeader> columns = ModelColumns(first, options.weights);
  const std::size_t rows = first.rows.rows;
  if (rows == 0 || columns.empty()) {
    throw Error(ErrorKind::kInput, first.rows.source + " has " + std::to_string(rows) + " rows and " +
                                       std::to_string(columns.size()) + " columns: there is nothing to learn from");
  }
  for (const auto& name : options.ordered) RequireColumn(first, name, "--ordered");
  for (const auto& request : options.bins) RequireColumn(first, request.column, "--bins");

  const std::vector<std::string> names = NamesOf(columns);
  std::vector<std::vector<std::size_t>> positions;
  for (const NamedTable* table : tables) {
    positions.push_back(MatchColumns(names, table->headers, table->rows.source, options.weights));
  }

  Schema schema{.columns = {}, .closed = options.closed};
  for (std::size_t j = 0; j < columns.size(); ++j) {
    ColumnSchema column{.name = names[j], .type = columns[j].type, .categories = {}, .bins = {}};
    column.missing_texts = MissingTexts(options.missing, names[j]);
    const auto request = std::find_if(options.bins.begin(), options.bins.end(),
                                      [&](const BinsRequest& bins) { return bins.column == names[j]; });
    const bool binned = request != options.bins.end();
    for (std::size_t t = 0; t < tables.size(); ++t) {
      const TextColumn& text = tables[t]->rows.columns[positions[t][j]];
      const std::span<const double> weights = t == 0 ? row_weights : std::span<const double>();
      column.has_missing = column.has_missing || HasMissing(text, weights, column);
      if (!binned) {
        ReadCategories(text, weights, column);
      } else if (t == 0) {
        ReadBins(*tables[t], text, weights, *request, column);
      } else {
        ReadNumbers(*tables[t], text, weights, column);  // only to check: the bins are those of the first table
      }
    }
    if (!binned) {
      SortCategories(column.categories);
      CheckCategoryCount(column, CountRows(rows, row_weights), options, warnings);
      const bool is_declared = std::ranges::find(options.ordered, names[j]) != options.ordered.end();
      column.ordered = IsOrderedType(column.type) || is_declared;
      if (is_declared && !IsOrderedType(column.type)) WarnOfTextOrder(column, warnings);
    }
    schema.columns.push_back(std::move(column));
  }
  return schema;
}

}  // namespace dtf
