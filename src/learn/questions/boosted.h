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
  // Of distinct rows, if they are many, drawn anew for each tree, by which splits are chosen: a multiple of 1/256 above
  // 0. Leaves are of all rows.
  double row_share = 1;
  double min_hessian = 1;
  double lambda = 1;
  double min_gain = 0;
  double shrinkage = 0.05;  // of the first tree; that of later ones grows slowly
  int patience = 20;        // rounds without gain on held-out rows
  int most_rounds = 1000;
};

// The logits of a question's rows: 64 for each word of a plane.
struct QuestionLogits {
  std::vector<Logit> train;
  std::vector<Logit> valid;
};

struct BoostedTrees {
  std::vector<LogitTree> trees;
  int rounds = 0;  // those that gave no tree, too
  // Of the judging rows, by halves (QuestionRows::LossOfHalves): before the first tree and after each. None without
  // such rows.
  std::vector<std::array<double, 2>> losses;
};

// The trees to be added to the logits. With `valid`, until `patience` rounds have not been better there than the best;
// else, or with `rounds`, a fixed number (rounds, or most_rounds). `logits` are moved on by all of the trees. The same
// bits on any machine. `seed`: of the columns drawn and the gradients' rounding.
BoostedTrees Boost(const QuestionRows& train, const QuestionRows* valid, const BoostOptions& options,
                   std::optional<int> rounds, std::uint64_t seed, QuestionLogits& logits);

}  // namespace dtf
