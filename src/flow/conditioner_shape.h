// What conditioners that differ only in their questions' biases have in common, prepared once for all of them.
//
// Most questions of a column with many categories have neither terms nor trees: a subtree of such questions is a fixed
// distribution over a *group* of categories. The other questions are *asked* of each row, and lead to groups; a
// category that an asked question leads to directly is a group of its own. Asked questions and groups share one
// numbering, asked questions first.
#pragma once

#include <cstdint>
#include <vector>

#include "count/packed_trees.h"
#include "flow/conditioner.h"

namespace dtf {

struct ConditionerShape {
  struct Asked {
    PackedTrees logit;           // of yes, without the bias
    std::uint32_t question = 0;  // its position in `questions`
    std::uint32_t yes = 0;
    std::uint32_t no = 0;
  };
  struct Group {
    std::int32_t top = 0;     // as Question::yes: its uppermost question, or -1 - category
    std::uint32_t begin = 0;  // of its categories, when those of all groups stand one after the other
    std::uint32_t end = 0;
  };

  std::vector<Question> questions;  // their biases are not used
  Code size = 0;                    // number of the column's categories
  std::vector<Asked> asked;         // parents first
  std::vector<Group> groups;
  std::vector<std::int32_t> asked_link;     // by asked question: 2 · parent + (it is its yes), -1 for the first one
  std::vector<std::int32_t> category_link;  // by category: likewise for its group
  std::vector<std::uint32_t> group_of;      // by category
  std::vector<bool> is_fixed;               // by question: neither it nor any below it looks at the row
};

// REQUIRES: a proper conditioner of a column with `size` categories.
ConditionerShape MakeShape(Conditioner conditioner, Code size);

}  // namespace dtf
