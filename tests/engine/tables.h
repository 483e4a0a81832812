// Random tables, and the way between the engine's and the oracle's.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "dtf/table.h"
#include "oracle/oracle.h"
#include "table/code_table.h"

namespace dtf {

// A table whose columns depend on each other: each code copies, shifts or ignores an earlier column's.
struct RandomTable {
  std::vector<Code> sizes;
  oracle::Rows rows;

  oracle::Sizes oracle_sizes() const { return {sizes.begin(), sizes.end()}; }
};

// rows in [1, most_rows], columns in [1, most_columns], categories of each in [1, most_categories].
RandomTable MakeRandomTable(RandomStream& random, int most_rows, int most_columns, int most_categories);

// Every row of the domain once.
RandomTable WholeDomain(const std::vector<Code>& sizes);

CodeTable ToCodeTable(const oracle::Rows& rows, const std::vector<Code>& sizes);
oracle::Rows ToRows(const CodeTable& table);

}  // namespace dtf
