// The kinds of members that a forest is made of: how the questions of a flow are learnt.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "learn/questions/fit_question.h"

namespace dtf {

struct Kind {
  std::string_view name;
  Learner learner;
  bool counts = false;  // no learner, but tables of counts in a network of one parent a column (count_tree.h)
};

// Those that `--conditioner auto` chooses among, in the order in which they are tried.
std::span<const Kind> ForestKinds();

// One averaged tree a question, over all columns before (TreeKind) or over a network's parents (NetworkKind); tables of
// counts in a network (CountKind); a ridge regression (LinearKind); boosted trees from the marginal (BoostedKind).
const Kind& TreeKind();
const Kind& NetworkKind();
const Kind& CountKind();
const Kind& LinearKind();
const Kind& BoostedKind();

}  // namespace dtf
