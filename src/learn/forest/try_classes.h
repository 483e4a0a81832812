// Latent class models beside a forest's members. Where rows are few they say as much as trees can learn, and err
// otherwise than these do. Where rows are many they add little, but cost little, too.
#pragma once

#include <vector>

#include "learn/forest/growth.h"

namespace dtf {

bool WantsClasses(const Growth& growth);
std::vector<JudgedClasses> TryClasses(Growth& growth);

}  // namespace dtf
