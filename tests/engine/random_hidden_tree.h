// Hidden trees that nobody learnt.
#pragma once

#include <memory>
#include <vector>

#include "base/random.h"
#include "flow/hidden_tree_flow.h"

namespace dtf {

// Any tree of the columns; shares that sum to 1 but for their rounding, some of them as small as can be.
std::shared_ptr<const HiddenTreeFlow> MakeRandomHiddenTree(RandomStream& random, const std::vector<Code>& sizes,
                                                           bool closed);

}  // namespace dtf
