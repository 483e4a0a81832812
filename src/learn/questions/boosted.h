// Newton boosting of a question's logit by small trees, on bit-sliced gradients.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "count/logistic.h"
#include "learn/questions/grow_tree.h"
#include "learn/questions/question_rows.h"

namespace dtf {

struct BoostOptions {
  int depth = 4;
  int leaves = std::numeric_limits<int>::max();
  double column_share = 0.5;  // of the tests, drawn anew for each tree; never below least_tests
  int least_tests = 16;
  // Share of the distinct rows by which splits are chosen, if they are many, drawn anew for each tree: a multiple of
  // 1/256 above 0. Leaf values come from all rows.
  double row_share = 1;
  double min_hessian = 1;
  double lambda = 1;
  double min_gain = 0;
  double shrinkage = 0.05;  // of the first tree; it grows slowly from tree to tree
  int patience = 20;        // rounds without gain on held-out rows
  int most_rounds = 1000;
};

// The logits of a question's rows, padded to 64 for each word of a plane.
struct QuestionLogits {
  std::vector<Logit> train;
  std::vector<Logit> valid;
};

struct BoostedTrees {
  std::vector<LogitTree> trees;
  int rounds = 0;  // with those that gave no tree
  // Losses of the validation rows, by halves (QuestionRows::LossOfHalves): before the first tree and after each. Empty
  // without such rows.
  std::vector<std::array<double, 2>> losses;
};

// Learns trees whose values are to be added to the logits, and adds those of all of them to `logits`. With `rounds`, as
// many rounds as that; else, with `valid`, until `patience` rounds in a row have not lowered its least loss, and in any
// case at most most_rounds. The same bits on any machine. `seed`: for tests and rows that are drawn, and for rounding
// gradients.
BoostedTrees Boost(const QuestionRows& train, const QuestionRows* valid, const BoostOptions& options,
                   std::optional<int> rounds, std::uint64_t seed, QuestionLogits& logits);

}  // namespace dtf
