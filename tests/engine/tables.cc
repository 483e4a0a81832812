#include "engine/tables.h"

#include <algorithm>

namespace dtf {

RandomTable MakeRandomTable(RandomStream& random, int most_rows, int most_columns, int most_categories) {
  RandomTable table;
  const std::size_t rows = 1 + random.Below(most_rows);
  const std::size_t columns = 1 + random.Below(most_columns);
  for (std::size_t j = 0; j < columns; ++j) table.sizes.push_back(static_cast<Code>(1 + random.Below(most_categories)));
  for (std::size_t i = 0; i < rows; ++i) {
    oracle::Row row;
    for (std::size_t j = 0; j < columns; ++j) {
      const Code size = table.sizes[j];
      std::uint64_t code = std::min(random.Below(size), random.Below(size));
      if (j > 0 && random.Below(3) > 0) code = (static_cast<std::uint64_t>(row[j - 1]) + random.Below(2) * j) % size;
      row.push_back(static_cast<int>(code));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

RandomTable WholeDomain(const std::vector<Code>& sizes) {
  RandomTable table{sizes, {}};
  table.rows = oracle::AllConfigurations(table.oracle_sizes());
  return table;
}

CodeTable ToCodeTable(const oracle::Rows& rows, const std::vector<Code>& sizes) {
  CodeTable table = CodeTable::WithSizes(rows.size(), sizes);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < sizes.size(); ++j) table.columns[j].Set(i, static_cast<Code>(rows[i][j]));
  }
  return table;
}

oracle::Rows ToRows(const CodeTable& table) {
  oracle::Rows rows(table.rows, oracle::Row(table.columns.size()));
  for (std::size_t i = 0; i < table.rows; ++i) {
    for (std::size_t j = 0; j < table.columns.size(); ++j) rows[i][j] = static_cast<int>(table.columns[j].At(i));
  }
  return rows;
}

}  // namespace dtf
