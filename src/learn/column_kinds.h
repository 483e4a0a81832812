#pragma once

#include <vector>

#include "perm/domain.h"

namespace dtf {

// What the schema says of each column, one entry per column; an empty list of the last three: of no column.
struct ColumnKinds {
  std::vector<Code> sizes;         // number of categories
  std::vector<bool> ordered;       // whether the categories are ordered by value
  std::vector<bool> has_missing;   // whether the last category is "missing"
  std::vector<bool> binned = {};   // whether the categories are bins of numbers
  std::vector<bool> numbers = {};  // whether all categories are numbers, in order of value
};

}  // namespace dtf
