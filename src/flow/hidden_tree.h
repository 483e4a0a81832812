// A tree of hidden states (a hidden Chow-Liu tree; Liu & Van den Broeck, NeurIPS 2021): each column has a state that is
// not seen; states of columns that tell each other are neighbours in a tree; a column's category depends on its state
// alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perm/domain.h"

namespace dtf {

// What is proportional to a probability: 2^(-value / 512), so from 2^-32 to 1.
using LogShare = std::uint16_t;
inline constexpr LogShare kMostLogShare = 32 * 512 - 1;

struct HiddenTree {
  std::size_t states = 0;  // of each column: 1 to kMostStates
  // Positions are those of `order`: the root first, and after each column all that descend from it.
  std::vector<Feature> order;
  std::vector<std::uint32_t> parent;  // of each position the parent's, which is before it; of the root 0
  std::vector<LogShare> root;         // of its states
  std::vector<LogShare> transitions;  // of each position but the root, each state of its parent: of its states
  std::vector<LogShare> categories;   // of each column (in the table's order) and category: in each state
};

inline constexpr std::size_t kMostStates = 256;

// The one that is nearest to a share > 0; and its value.
LogShare ToLogShare(double share);
double FromLogShare(LogShare share);

}  // namespace dtf
