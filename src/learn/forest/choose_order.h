// Whether the order of the columns means something.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "learn/forest/growth.h"

namespace dtf {

// Learns members of a kind in the table's order, the reverse one and others. If one order alone is better than many of
// the kind of those tried would be together, it means something, and the members to come take it. Else each has its
// own. How many there will be has no say: of --time nobody knows it. Returns the tries that fit in with that. `begin`
// is told what is tried next.
std::vector<JudgedMember> ChooseOrder(Growth& growth, Trial& trial,
                                      const std::function<void(const std::string&)>& begin);

}  // namespace dtf
