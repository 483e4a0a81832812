#include "dtf/schema.h"

namespace dtf {

std::vector<std::string> DescribeUnknownColumns(const Schema& schema, std::span<const ValueCounts> counts,
                                                const std::string& source) {
  constexpr std::size_t kFewValues = 10;  // which may be new by chance
  std::vector<std::string> lines;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    const ColumnSchema& column = schema.columns[j];
    if (counts[j].known > 0 || counts[j].unknown < kFewValues) continue;
    lines.push_back(source + ", column `" + column.name + "`: no row has a value that the model knows" +
                    (column.categories.empty() ? "" : ", as `" + column.categories.front() + "` is one") +
                    ": are all missing, new, or spelt otherwise?");
  }
  return lines;
}

}  // namespace dtf
