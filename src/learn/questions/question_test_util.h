#pragma once

#include "learn/questions/logits.h"
#include "learn/questions/question_rows.h"

namespace dtf {

// Of a question with two categories that are not alike.
inline Logit MarginalOf(const QuestionRows& rows) {
  return OddsLogit(rows.total_yes() + 0.5, rows.total() - rows.total_yes() + 0.5);
}

}  // namespace dtf
