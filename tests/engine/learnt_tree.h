// One tree learnt by the engine, with what the passes leave on the way, to be held against the oracle's.
#pragma once

#include <vector>

#include "learn/tsp/criterion.h"
#include "learn/tsp/grow.h"
#include "learn/tsp/two_passes.h"
#include "oracle/oracle.h"
#include "tree/tsp.h"

namespace dtf {

struct LearntTree {
  GrownTree grown;
  std::vector<NodePermutations> pass1;
  Tsp tsp;
};

LearntTree LearnTree(const CodeTable& codes, const std::vector<Code>& sizes, const GrowOptions& options,
                     std::uint64_t layer, Criterion& criterion);

// Splits where the given splits say, node by node; a feature of -1 is a leaf.
class GivenCriterion : public Criterion {
 public:
  explicit GivenCriterion(std::vector<oracle::Split> splits) : splits_(std::move(splits)) {}

  void StartLayer(const CodeLayout& /*layout*/, const NodeCounts& /*all*/) override {}
  std::optional<SetSplit> BestSplit(const NodeTask& task) override;

 private:
  std::vector<oracle::Split> splits_;
};

// Structure, raw splits, π̃, π and v_new of every node are the oracle's.
void ExpectSameTree(const LearntTree& learnt, const oracle::Tree& expected, const std::vector<Code>& sizes);

// The rows' images under the compiled tree.
oracle::Rows Forward(const Tsp& tsp, const oracle::Rows& rows, const std::vector<Code>& sizes);
oracle::Rows Inverse(const Tsp& tsp, const oracle::Rows& rows, const std::vector<Code>& sizes);

}  // namespace dtf
