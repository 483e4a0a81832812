// Members that are no forest's kinds: Bayesian networks and latent classes, where these can say something.
#pragma once

#include <vector>

#include "learn/forest/growth.h"

namespace dtf {

// A network of few arrows is all there is to know of some tables. It costs little to find out.
bool WantsNetworks(Growth& growth);
std::vector<JudgedMember> TryNetworks(Growth& growth);

// Where rows are few, latent classes say as much as trees can learn, and they err otherwise than these do. Where rows
// are many they add little, but cost little, too.
bool WantsClasses(const Growth& growth);
std::vector<JudgedClasses> TryClasses(Growth& growth);

}  // namespace dtf
