// Which kinds of members a forest tries.
#pragma once

#include <vector>

#include "learn/forest/growth.h"

namespace dtf {

// Of the work, for trying each kind once: the rest is for more of those that proved good.
inline constexpr double kTrialShare = 0.5;

// The kinds that the options leave, the best first, as far as learning some columns tells; without those that are much
// worse, and those of which a single member would cost more than all may.
std::vector<Trial> ScreenKinds(Growth& growth);

}  // namespace dtf
