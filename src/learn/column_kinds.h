#pragma once

#include <vector>

#include "perm/domain.h"

namespace dtf {

// What is known of each column of a table before its rows are.
struct ColumnKinds {
  std::vector<Code> sizes;         // numbers of categories
  std::vector<bool> ordered;       // whether these are ordered by value
  std::vector<bool> has_missing;   // whether the last one is that the value is missing; empty: nowhere
  std::vector<bool> binned = {};   // whether each is of many values; empty: nowhere
  std::vector<bool> numbers = {};  // whether they are all numbers, in order of value; empty: nowhere
};

}  // namespace dtf
