#pragma once

#include "flow/flow.h"
#include "learn/weighted_rows.h"

namespace dtf {

// The mean over `rows` of the negative log-likelihood, in nats.
double MeanNll(const Flow& flow, const WeightedRows& rows, int threads);

}  // namespace dtf
