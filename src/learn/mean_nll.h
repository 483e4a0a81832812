#pragma once

#include <span>

#include "flow/flow.h"
#include "learn/weighted_rows.h"

namespace dtf {

// The mean over `rows` of the negative log-likelihood, in nats.
double MeanNll(const Flow& flow, const WeightedRows& rows, int threads);

// The same of rows with these log-likelihoods. Neither their order nor copies in place of weights matter.
double MeanNll(std::span<const double> scores, const WeightedRows& rows);

}  // namespace dtf
