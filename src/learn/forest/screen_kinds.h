// Which kinds of members a forest tries.
#pragma once

#include <vector>

#include "learn/forest/growth.h"

namespace dtf {

// The share of the work for trying each kind once; the rest is for more members of the good kinds.
inline constexpr double kTrialShare = 0.5;

// The kinds that the options allow, the best first by their scores on some columns, which are learnt here. Left out are
// kinds that score much worse than the best, or of which one member would take more than all of the work.
std::vector<Trial> ScreenKinds(Growth& growth);

}  // namespace dtf
