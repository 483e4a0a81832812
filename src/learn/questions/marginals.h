// A question's answer without any columns before it: from how often each answer occurs.
#pragma once

#include <cstdint>

#include "tree/logit_tree.h"

namespace dtf {

// ln of the probability of so many answers, in nats, when each is predicted from those before it by the estimate
// (yes + yes_prior) / (yes + no + yes_prior + no_prior). Without priors: ½ each (Krichevsky, Trofimov 1981).
double LnEvidence(double yes, double no, double yes_prior, double no_prior);
double LnEvidence(double yes, double no);

// The rows that give an answer, and the categories that do.
struct AnswerCount {
  double rows = 0;
  std::uint32_t categories = 1;
};

// The logit of yes: that estimate, with a prior of ½ for each category below an answer, averaged with the model that
// all categories are equally likely; weights are the posterior probabilities of the two. (Categories are equally likely
// in tables that were designed, and rare ones nearly are.)
Logit MarginalLogit(const AnswerCount& yes, const AnswerCount& no);

}  // namespace dtf
