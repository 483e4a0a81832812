#include "base/column_names.h"

#include <algorithm>
#include <cstddef>

#include "dtf/error.h"

namespace dtf {

std::vector<std::string> NamesOf(const std::vector<ColumnHeader>& headers) {
  std::vector<std::string> names;
  names.reserve(headers.size());
  for (const ColumnHeader& header : headers) names.push_back(header.name);
  return names;
}

std::string ListQuoted(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 20;
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    list += (i == 0 ? "`" : ", `") + names[i] + "`";
  }
  if (names.size() > kMost) list += ", … (" + std::to_string(names.size()) + " in all)";
  return list;
}

void ThrowNoSuchColumn(const std::string& option, const std::string& name, const std::string& source,
                       const std::vector<std::string>& names) {
  throw Error(ErrorKind::kUsage,
              option + ": " + source + " has no column `" + name + "`; its columns are " + ListQuoted(names));
}

std::vector<std::string> SplitNames(std::string_view list) {
  std::vector<std::string> names(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool begins = names.back().empty() && (i == 0 || list[i - 1] == ',');
    if (list[i] == '"' && begins && !is_quoted) {
      is_quoted = true;
    } else if (list[i] == '"' && is_quoted) {
      if (i + 1 < list.size() && list[i + 1] == '"') {
        names.back() += list[i++];
      } else {
        is_quoted = false;
      }
    } else if (list[i] == ',' && !is_quoted) {
      names.emplace_back();
    } else {
      names.back() += list[i];
    }
  }
  return names;
}

}  // namespace dtf
