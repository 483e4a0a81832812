// Which trees of hidden states are learnt beside a forest's members: they sum over what trees of questions would have
// to find, which tells in sparse tables, as of baskets and clicks.
#pragma once

#include <vector>

#include "learn/forest/growth.h"

namespace dtf {

// All that are to be learnt if the first one is worth it; none if the table, or their work, is not for them. Finds the
// tree of columns, whose work is used.
std::vector<LatentOptions> HiddenTreeModels(Growth& growth);

}  // namespace dtf
