// Which latent class models are learnt beside a forest's members. Where rows are few they predict about as well as
// trees, and err differently, so that a mixture of both is better. Where rows are many they add little, but cost
// little, too.
#pragma once

#include <string>
#include <vector>

#include "learn/forest/growth.h"

namespace dtf {

// Those that fit into the work. Draws orders of columns for some of them.
std::vector<LatentOptions> ClassModels(Growth& growth);

// What a model is, in a line of what was tried.
std::string Describe(const ClassOptions& model);

}  // namespace dtf
