// What the questions of a column answer when nothing is known of the row: how often each category occurs.
#pragma once

#include <span>
#include <vector>

#include "flow/conditioner.h"
#include "learn/questions/question_tree.h"
#include "tree/logit_tree.h"

namespace dtf {

// ln of the probability of answers, one after the other, each by the estimate (yes + ½) / (yes + no + 1) from those
// before it (Krichevsky, Trofimov 1981).
double LnEvidence(double yes, double no);

// The logit of each question: by that estimate from all of its answers, averaged by evidence with all categories being
// equally likely, as they are in tables that were designed. before[p]: rows of the categories at the positions before
// p, of all categories at the end.
std::vector<Logit> MarginalLogits(std::span<const Question> questions, const QuestionRanges& ranges,
                                  std::span<const double> before);

}  // namespace dtf
