// Latent class models and trees of hidden states beside a forest's members.
#pragma once

#include <functional>
#include <vector>

#include "learn/forest/growth.h"

namespace dtf {

// Whether the options and the table allow them.
bool WantsLatents(const Growth& growth);

// Learns and scores them. Of trees of hidden states one at first; its weight in the mixture with the members, which
// `weigh` gives, decides on the others, and on itself.
std::vector<JudgedLatent> TryLatents(Growth& growth, const std::function<double(const JudgedLatent&)>& weigh);

}  // namespace dtf
