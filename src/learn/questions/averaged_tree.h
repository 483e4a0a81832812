// One tree for a question, averaged over all its prunings: each node's prediction is a mean of its own and its child's,
// weighted by evidence (Buntine 1992; Willems et al. 1995). Nothing in it is tuned.
#pragma once

#include "learn/questions/question_rows.h"
#include "tree/logit_tree.h"

namespace dtf {

// The tree whose leaves are logits of the averaged predictions. Grown by entropy to depth 30, while a split gains more
// than half a nat.
LogitTree GrowAveragedTree(const QuestionRows& rows);

// ln yes / no. REQUIRES: both positive.
Logit OddsLogit(double yes, double no);

// The logit of a marginal: ln (yes + ½) / (no + ½).
inline Logit MarginalLogit(double yes, double no) { return OddsLogit(yes + 0.5, no + 0.5); }
inline Logit MarginalLogit(const QuestionRows& rows) {
  return MarginalLogit(rows.total_yes(), rows.total() - rows.total_yes());
}

}  // namespace dtf
