#include "learn/forest/kinds.h"

#include <limits>
#include <vector>

namespace dtf {
namespace {

constexpr int kAnyLeaves = std::numeric_limits<int>::max();
constexpr int kAnyDepth = 100;  // the limit is on leaves

BoostOptions Boosting(int depth, int leaves, double column_share, double min_hessian, double lambda) {
  BoostOptions options;
  options.depth = depth;
  options.leaves = leaves;
  options.column_share = column_share;
  options.min_hessian = min_hessian;
  options.lambda = lambda;
  return options;
}

Learner Faster(Learner learner, double shrinkage, int patience) {
  learner.boost->shrinkage = shrinkage;
  learner.boost->patience = patience;
  return learner;
}

Learner Choosy(Learner learner, double min_gain) {
  learner.boost->min_gain = min_gain;
  return learner;
}

Learner OfRows(double share, Learner learner) {
  learner.boost->row_share = share;
  return learner;
}

// Draws at least 32 tests for each tree: all of them in a table of few categories.
Learner Of32Tests(Learner learner) {
  learner.boost->least_tests = 32;
  return learner;
}

}  // namespace

std::span<const Kind> ForestKinds() {
  static const std::vector<Kind> kinds = {
      // Many weak effects that add up (ratings, surveys).
      {"linear-trees", {0, true, Boosting(4, kAnyLeaves, 0.5, 1, 1)}},
      // Sparse and wide tables.
      {"small-trees", OfRows(0.625, {0, false, Boosting(kAnyDepth, 12, 0.5, 0.1, 1)})},
      {"medium-trees", Of32Tests({0, false, Boosting(kAnyDepth, 32, 0.3, 0.3, 1)})},
      // Many rows of many columns (pixels).
      {"shallow-trees", Faster({0, false, Boosting(7, kAnyLeaves, 0.25, 1, 3)}, 0.07, 20)},
      // Few columns with high-order interactions.
      {"deep-trees", Choosy(Faster({0.8, false, Boosting(16, kAnyLeaves, 1, 0.3, 2)}, 0.1, 10), 0.5)},
      // Few rows: averaging first, and many random trees.
      {"random-trees", {0.8, false, Boosting(12, kAnyLeaves, 0.3, 0.3, 2)}},
      {"averaged-trees", {0.5, false, Boosting(12, kAnyLeaves, 0.5, 0.1, 1)}},
  };
  return kinds;
}

const Kind& TreeKind() {
  static const Kind kind = {"tree", {1, false, {}}};
  return kind;
}

const Kind& NetworkKind() {
  static const Kind kind = {"network", TreeKind().learner};
  return kind;
}

const Kind& CountKind() {
  static const Kind kind = {"counts", {}, true};
  return kind;
}

const Kind& LinearKind() {
  static const Kind kind = {"linear", {0, true, {}}};
  return kind;
}

const Kind& BoostedKind() {
  static const Kind kind = {
      "boosted", OfRows(0.875, Faster(Of32Tests({0, false, Boosting(kAnyDepth, 31, 0.4, 0.3, 3)}), 0.11, 10))};
  return kind;
}

}  // namespace dtf
