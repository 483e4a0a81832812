// Probabilities of the answers to yes/no questions, and -ln of them: the logistic function and its logarithm, in double
// precision with a fixed sequence of roundings, so that all vector instructions, and the functions for a single number,
// give the same bits.
//
// Per-row arrays hold 64 values for each word of a plane.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "base/exponential.h"
#include "base/logarithm.h"
#include "tree/logit_tree.h"

namespace dtf {

// Logits beyond 700 nats count as 700 where the less likely answer's probability is found, so that no result is a
// subnormal number.
inline constexpr Logit kMostExponent = 700 << 16;

// -ln of the probability of an answer whose log-odds are `logit`: ln(1 + e^-f), >= 0, within 4 units in the last place.
inline double AnswerNats(Logit logit) {
  const double exponent = kLogitUnit * std::min(std::abs(logit), kMostExponent);
  return kLogitUnit * std::max(-logit, 0) + LnOnePlus(Exp(-exponent));
}

// The probability of an answer whose log-odds are `logit`: 1 / (1 + e^-f).
inline double AnswerProbability(Logit logit) {
  return 1 / (1 + Exp(-kLogitUnit * std::clamp(logit, -kMostExponent, kMostExponent)));
}

// nats[i] += AnswerNats of row i's answer, whose log-odds are logits[i] for a row of `yes` and -logits[i] for another
// one. For the rows of `mask` only.
void AddAnswerNats(std::span<const Logit> logits, const std::uint64_t* mask, const std::uint64_t* yes,
                   std::span<double> nats);

// yes[i] = nats[i] + AnswerNats(logits[i]) and no[i] = nats[i] + AnswerNats(-logits[i]), for all rows.
void AddBothAnswers(std::span<const Logit> logits, std::span<const double> nats, std::span<double> yes,
                    std::span<double> no);

// Sets `yes` to the rows of `mask` for which draws[i] · 2^-53 < AnswerProbability(logits[i]). draws: uniform in
// 0 … 2^53 - 1.
void DrawAnswers(std::span<const Logit> logits, const std::uint64_t* mask, std::span<const std::uint64_t> draws,
                 std::uint64_t* yes);

}  // namespace dtf
