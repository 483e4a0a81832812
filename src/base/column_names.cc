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

}  // namespace dtf
