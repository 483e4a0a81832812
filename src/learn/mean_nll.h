#pragma once

#include <span>

#include "flow/flow.h"
#include "learn/weighted_rows.h"

namespace dtf {

// The mean over `rows` of the negative log-likelihood, in nats.
double MeanNll(const Flow& flow, const WeightedRows& rows, int threads);

// The same for rows whose log-likelihoods are given. Bit by bit the same in any order of the rows, and for copies of a
// row in place of its weight.
double MeanNll(std::span<const double> scores, const WeightedRows& rows);

}  // namespace dtf
