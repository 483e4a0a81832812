// Members that are no forest's kinds: Bayesian networks and latent classes, where these can say something.
#pragma once

#include <vector>

#include "learn/forest/growth.h"

namespace dtf {

// A network of few arrows is all there is to know of some tables. It costs little to find out.
bool WantsNetworks(Growth& growth);
std::vector<JudgedMember> TryNetworks(Growth& growth);

// Where rows are few, a handful of classes says as much as trees can learn, and it errs otherwise than they do. Where
// rows are many it adds nothing.
bool WantsClasses(const Growth& growth);
std::vector<JudgedClasses> TryClasses(Growth& growth);

}  // namespace dtf
