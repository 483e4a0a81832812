// What a question answers when nothing is known of the row: how often each answer occurs.
#pragma once

#include <cstdint>

#include "tree/logit_tree.h"

namespace dtf {

// ln of the probability of answers, one after the other, each by the estimate (yes + yes_prior) / (yes + no + both
// priors) from those before it; with ½ for both priors (Krichevsky, Trofimov 1981) if none are given.
double LnEvidence(double yes, double no, double yes_prior, double no_prior);
double LnEvidence(double yes, double no);

// The rows that give an answer, and the categories that do.
struct AnswerCount {
  double rows = 0;
  std::uint32_t categories = 1;
};

// The logit of yes after such answers: by that estimate, with ½ for each category as its prior, averaged by evidence
// with all categories being equally likely, as they are in tables that were designed, and as rare ones nearly are.
Logit MarginalLogit(const AnswerCount& yes, const AnswerCount& no);

}  // namespace dtf
