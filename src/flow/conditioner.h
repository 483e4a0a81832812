// The distribution of one column's category given the columns before it. A column of k categories is k - 1 yes/no
// questions along a binary tree of its categories; the probability of a category is the product of the answers on the
// path to it, so that the distribution sums to 1 whatever the logits are.
#pragma once

#include <cstdint>
#include <vector>

#include "dtf/table.h"
#include "perm/domain.h"
#include "tree/logit_tree.h"

namespace dtf {

// Passed by the rows whose code of `column` is in {first, …, last}; last < k, so an unseen value passes none.
struct CodeTest {
  Feature column = 0;
  Code first = 0;
  Code last = 0;

  friend auto operator<=>(const CodeTest&, const CodeTest&) = default;
};

// "Is the category among those below `yes`?" Log-odds: bias + terms + trees, in units of kLogitUnit; never overflows.
struct Question {
  // >= 0: a question, after this one; < 0: category -1 - child.
  std::int32_t yes = 0;
  std::int32_t no = 0;
  Logit bias = 0;
  std::vector<LogitTerm> terms;
  std::vector<LogitTree> trees;

  friend bool operator==(const Question&, const Question&) = default;
};

// Questions of one column, the first one asked first; none if the column has one category. The tests of terms and trees
// are positions in the flow's list of tests.
struct Conditioner {
  std::vector<Question> questions;

  friend bool operator==(const Conditioner&, const Conditioner&) = default;
};

// Σ |bias|, |term| and each tree's largest |leaf| of a question must not exceed this.
inline constexpr std::int64_t kMostLogit = std::int64_t{1} << 30;

}  // namespace dtf
