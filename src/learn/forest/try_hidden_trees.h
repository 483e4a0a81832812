// Trees of hidden states beside a forest's members: they sum over what trees of questions would have to find, which
// tells in sparse tables, as of baskets and clicks.
#pragma once

#include <functional>
#include <vector>

#include "learn/forest/growth.h"

namespace dtf {

bool WantsHiddenTrees(const Growth& growth);

// None if the first one, or its work, is not worth it. weigh: a model's weight in the mixture with the members.
std::vector<JudgedLatent> TryHiddenTrees(Growth& growth, const std::function<double(const JudgedLatent&)>& weigh);

}  // namespace dtf
