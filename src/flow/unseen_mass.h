// The probability that a distribution over rows keeps for those with a value never seen.
#pragma once

#include "base/logarithm.h"

namespace dtf {

// Each of the two is exact where the other is rounded off: rows of many columns hardly ever have no value never seen.
struct UnseenMass {
  double mass = 0;
  double log_seen = 0;  // ln (1 - mass), in nats

  // One more column, of which values never seen have the probability `unseen`. REQUIRES: 0 <= unseen < 1.
  void AddColumn(double unseen) {
    mass += (1 - mass) * unseen;
    log_seen += Ln(1 - unseen);
  }
};

}  // namespace dtf
