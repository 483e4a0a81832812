// From trees and terms to pieces (tree_pieces.h).
#pragma once

#include <span>

#include "count/tree_pieces.h"
#include "tree/logit_tree.h"

namespace dtf {

// Each tree's lowest leaf is added to `low` and taken from its leaves, so that these are not negative. In time linear
// in the trees' sizes, at any depth. REQUIRES: trees whose children come after their parents; the sizes of terms and
// trees sum to at most 2^30.
TreePieces PackPieces(std::span<const LogitTerm> terms, std::span<const LogitTree> trees);

}  // namespace dtf
