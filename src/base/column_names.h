// Columns that options name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dtf/table.h"

namespace dtf {

std::vector<std::string> NamesOf(const std::vector<ColumnHeader>& headers);

// "`a`, `b`, `c`"; of very many the first ones, and how many there are. For messages.
std::string ListQuoted(const std::vector<std::string>& names);

// For options that name a column which the table `source` does not have: throws Error(kUsage), "OPTION: SOURCE has no
// column `NAME`; its columns are …". `names`: those of the table.
[[noreturn]] void ThrowNoSuchColumn(const std::string& option, const std::string& name, const std::string& source,
                                    const std::vector<std::string>& names);

// The names in a list such as "a,b c,\"d,e\"". A name that holds a comma or begins with a quote stands in quotes;
// quotes in it are doubled.
std::vector<std::string> SplitNames(std::string_view list);

}  // namespace dtf
