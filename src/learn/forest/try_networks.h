// Bayesian networks beside a forest's members. One of few arrows is all there is to know of some tables, and it costs
// little to find out.
#pragma once

#include <vector>

#include "learn/forest/growth.h"

namespace dtf {

bool WantsNetworks(Growth& growth);
// best: the kind that is learnt in their orders, too.
std::vector<JudgedMember> TryNetworks(Growth& growth, const Trial& best);

}  // namespace dtf
