// One tree for a question, averaged over all its prunings: each node's prediction is a mean of its own and its child's,
// weighted by evidence (Buntine 1992; Willems et al. 1995). Nothing in it is tuned.
#pragma once

#include "learn/questions/question_rows.h"
#include "tree/logit_tree.h"

namespace dtf {

// The tree whose leaves are the logits of the averaged predictions. `marginal`: the root's prediction. The tree is
// grown by entropy, to depth 30 at most, and only by splits that gain more than half a nat.
LogitTree GrowAveragedTree(const QuestionRows& rows, Logit marginal);

}  // namespace dtf
