// Latent class models beside a forest's members. Where rows are few they predict about as well as trees, and err
// differently, so that a mixture of both is better. Where rows are many they add little, but cost little, too.
#pragma once

#include <vector>

#include "learn/forest/growth.h"

namespace dtf {

// Whether the options and the table allow them.
bool WantsClasses(const Growth& growth);
// Learns and scores them; those that do not fit into the work are left out.
std::vector<JudgedLatent> TryClasses(Growth& growth);

}  // namespace dtf
