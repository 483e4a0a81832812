// Bayesian networks beside a forest's members. Some tables have little structure beyond a network of few arrows, and it
// costs little to look for one.
#pragma once

#include <vector>

#include "learn/forest/growth.h"

namespace dtf {

// Whether the options and the number of columns allow them.
bool WantsNetworks(Growth& growth);
// Finds, learns and scores them. best: the kind that is learnt in their orders, too.
std::vector<JudgedMember> TryNetworks(Growth& growth, const Trial& best);

}  // namespace dtf
