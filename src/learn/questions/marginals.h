// What a question answers when nothing is known of the row: how often each answer occurs.
#pragma once

#include "tree/logit_tree.h"

namespace dtf {

// ln of the probability of answers, one after the other, each by the estimate (yes + ½) / (yes + no + 1) from those
// before it (Krichevsky, Trofimov 1981).
double LnEvidence(double yes, double no);

// The logit of yes after so many answers: by that estimate, averaged by evidence with all categories being equally
// likely, as they are in tables that were designed, and as rare ones nearly are. even_share: of the question's
// categories those that answer yes; above 0 and below 1.
Logit MarginalLogit(double yes, double no, double even_share);

}  // namespace dtf
