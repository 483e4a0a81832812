// TSPs that nobody learnt: any node permutations, any left sets.
#pragma once

#include <vector>

#include "base/random.h"
#include "oracle/oracle.h"
#include "tree/tsp.h"

namespace dtf {

// A tree of at most `most_depth` splits on a path whose node permutations each map the node's domain onto itself; its
// raw half is left empty.
oracle::Tree MakeRandomTsp(RandomStream& random, const std::vector<Code>& sizes, int most_depth);

// The same TSP in the engine's arrays. Node permutations that do not map the node's domain onto itself are listed as
// they are, code by code.
TspNodes ToTspNodes(const oracle::Tree& tree, const std::vector<Code>& sizes);

}  // namespace dtf
