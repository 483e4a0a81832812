// What a few rows have in each column and those that descend from it. Rows that are alike there have one pattern, for
// which all that depends on it alone is worked out once: where most cells are of one category, that is most of the
// work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/hidden_tree/column_tree.h"
#include "table/code_table.h"

namespace dtf {

using PatternId = std::uint16_t;
inline constexpr std::size_t kMostPatternRows = 1 << 16;

struct SubtreePatterns {
  // By position. Patterns are numbered as they occur first.
  struct Column {
    std::vector<Code> codes;             // of each pattern
    std::vector<PatternId> of_children;  // of each child, each of this column's patterns: the child's own

    std::size_t size() const { return codes.size(); }
  };
  std::vector<Column> columns;
  std::vector<float> shares;  // of each of the root's patterns: its part of the rows' weight

  std::size_t Count() const;       // of all columns
  std::size_t CountLinks() const;  // from a pattern to one of a child
  std::size_t Bytes() const;
};

// A row, and the weight that counts here.
struct RowPart {
  std::size_t row = 0;
  double weight = 0;
};

// Of kMostPatternRows at most, at least one.
SubtreePatterns FindPatterns(const ColumnTree& tree, const CodeTable& codes, std::span<const RowPart> parts);

}  // namespace dtf
