// From probabilities to the logits that a model holds.
#pragma once

#include "tree/logit_tree.h"

namespace dtf {

// The nearest logit; `nats` at most `most` in size.
Logit ToLogit(double nats, double most);

// ln yes / no, at most 32 nats in size. REQUIRES: both positive.
Logit OddsLogit(double yes, double no);

}  // namespace dtf
