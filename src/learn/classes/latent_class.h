#pragma once

#include <vector>

namespace dtf {

// One class of a latent class model (latent_classes.h).
struct LatentClass {
  double weight = 0;                        // positive; those of all classes sum to 1
  std::vector<std::vector<double>> shares;  // by column: of each category, positive, summing to 1

  friend bool operator==(const LatentClass&, const LatentClass&) = default;
};

}  // namespace dtf
