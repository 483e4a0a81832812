#include "io/choose_columns.h"

#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/column_names.h"
#include "dtf/error.h"
#include "io/utf8.h"

namespace dtf {

void CheckNames(const std::string& where, const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> positions;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    const std::size_t invalid = FindInvalidUtf8(name);
    if (invalid != std::string::npos) {
      throw Error(ErrorKind::kInput,
                  where + ", name of column " + std::to_string(i + 1) + ": " + DescribeInvalidUtf8(name[invalid]));
    }
    const auto [first, is_new] = positions.emplace(name, i + 1);
    if (is_new) continue;
    const std::string both = std::to_string(first->second) + " and " + std::to_string(i + 1);
    throw Error(ErrorKind::kInput,
                name.empty() ? where + ": columns " + both + " have no name; give each its own"
                             : where + ": columns " + both + " are both called `" + name + "`; rename one of them");
  }
}

std::vector<std::size_t> ChooseColumns(const std::string& source, const std::vector<std::string>& names,
                                       const ReadOptions& options) {
  const std::unordered_set<std::string_view> known(names.begin(), names.end());
  const auto require = [&](const std::string& option, const std::string& name) {
    if (!known.contains(name)) ThrowNoSuchColumn(option, name, source, names);
  };
  for (const std::string& name : options.drop) require("--drop", name);
  for (const std::string& name : options.keep) require("--keep", name);
  const std::unordered_set<std::string_view> drop(options.drop.begin(), options.drop.end());
  const std::unordered_set<std::string_view> keep(options.keep.begin(), options.keep.end());
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool dropped = drop.contains(names[i]);
    const bool kept = keep.contains(names[i]);
    if (dropped && kept) {
      throw Error(ErrorKind::kUsage, source + ": column `" + names[i] + "` is to be kept and dropped at once; its " +
                                         "columns are " + ListQuoted(names));
    }
    if (!dropped && (keep.empty() || kept)) chosen.push_back(i);
  }
  if (chosen.empty()) throw Error(ErrorKind::kUsage, source + ": no column is left, all are dropped");
  return chosen;
}

std::vector<MissingMarker> ParseMarkers(const std::string& source, const std::vector<std::string>& names,
                                        const std::vector<std::string>& texts) {
  std::vector<MissingMarker> markers;
  for (const std::string& text : texts) {
    const std::string* column = nullptr;
    for (const std::string& name : names) {
      const bool fits =
          !name.empty() && text.size() > name.size() && text.starts_with(name) && text[name.size()] == '=';
      if (fits && (column == nullptr || name.size() > column->size())) column = &name;
    }
    const std::size_t equals = text.find('=');
    if (column != nullptr) {
      markers.push_back({*column, text.substr(column->size() + 1)});
    } else if (equals == std::string::npos || equals == 0) {
      markers.push_back({std::nullopt, text.substr(equals == 0 ? 1 : 0)});
    } else {
      ThrowNoSuchColumn("--missing " + text, text.substr(0, equals), source, names);
    }
  }
  return markers;
}

}  // namespace dtf
