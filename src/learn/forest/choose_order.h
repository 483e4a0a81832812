// Whether members share one order of the columns, and which.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "learn/forest/growth.h"

namespace dtf {

// Learns members of a kind in the table's order, the reverse one and drawn ones. If the best of them alone scores
// better than kMostMembers in such orders, mixed, are expected to (ExtrapolatedScore), all members to come get its
// order; else each gets a drawn one. The number of members that will be learnt is not used, as --time leaves it open.
// Sets growth.order(), and returns the members learnt here that have the order chosen: all of them if none is. `begin`
// is told what is tried next.
std::vector<JudgedMember> ChooseOrder(Growth& growth, Trial& trial,
                                      const std::function<void(const std::string&)>& begin);

}  // namespace dtf
