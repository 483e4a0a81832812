// The structure of a Bayesian network over the columns of a table.
#pragma once

#include <vector>

#include "perm/domain.h"

namespace dtf {

// Of each column, those that it is learnt from, ascending; there is no cycle.
struct Network {
  std::vector<std::vector<Feature>> parents;

  friend bool operator==(const Network&, const Network&) = default;
};

// The columns, each after its parents; of several that can be next, the first in the table.
std::vector<Feature> ParentsFirst(const Network& network);

}  // namespace dtf
