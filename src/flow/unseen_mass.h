// The probability that a distribution over rows keeps for those with a value never seen.
#pragma once

#include "base/logarithm.h"

namespace dtf {

// The mass and ln of its complement are both kept, as each loses precision where the other is near 0. With many columns
// nearly all of the probability may be that of rows with a value never seen: the mass is then rounded to 1.
struct UnseenMass {
  double mass = 0;
  double log_seen = 0;  // ln (1 - mass), in nats

  // Adds a column whose unseen slot has the probability `unseen`. REQUIRES: 0 <= unseen < 1.
  void AddColumn(double unseen) {
    mass += (1 - mass) * unseen;
    log_seen += Ln(1 - unseen);
  }
};

}  // namespace dtf
