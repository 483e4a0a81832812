// From probabilities to the logits that a model holds.
#pragma once

#include "tree/logit_tree.h"

namespace dtf {

// The logit nearest to `nats`, which is first brought into [-most, most].
Logit ToLogit(double nats, double most);

// ln (yes / no), brought into [-32, 32] nats. REQUIRES: both positive.
Logit OddsLogit(double yes, double no);

}  // namespace dtf
