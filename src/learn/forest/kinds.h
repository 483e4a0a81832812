// The kinds of members a forest is made of: how the questions of an order are learnt.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "learn/questions/fit_question.h"

namespace dtf {

struct Kind {
  std::string_view name;
  Learner learner;
  bool counts = false;  // in place of a learner: tables of a network of one parent a column (count_tree.h)
};

// Those that `auto` chooses among, in the order in which they are tried. None is tuned to a table.
std::span<const Kind> ForestKinds();

// One averaged tree a question, alone and in a Bayesian network; tables of counts in one; a ridge regression; boosted
// trees from the marginal.
const Kind& TreeKind();
const Kind& NetworkKind();
const Kind& CountKind();
const Kind& LinearKind();
const Kind& BoostedKind();

}  // namespace dtf
