// The rows that a yes/no question is learnt from, or judged by: those that reach it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "count/planes.h"
#include "learn/questions/context_tests.h"
#include "learn/questions/question_tree.h"
#include "learn/weighted_rows.h"
#include "tree/logit_tree.h"

namespace dtf {

// The weights as questions take them: none is 0, and they sum to less than 2^32.
CoarseWeights QuestionWeights(const WeightedRows& rows);

class QuestionRows {
 public:
  // The rows with a category in positions [first, last) of `ranges`; yes: those before middle. Their contexts are the
  // first `tests` of `contexts`. The table's second half begins at row `first_half` (HalvedRows).
  QuestionRows(const CodeColumn& column, const CoarseWeights& weights, const ContextPlanes& contexts, std::size_t tests,
               const QuestionRanges& ranges, std::size_t question, std::size_t first_half = 0);

  std::size_t rows() const { return rows_; }
  std::size_t words() const { return PlaneWords(rows_); }
  PlaneMatrix tests() const { return tests_; }
  const std::uint64_t* yes() const { return yes_.data(); }
  std::span<const std::uint64_t> all() const { return all_; }  // bits of the rows that exist

  // In units of `unit` rows; none: each row is one unit.
  std::span<const std::uint32_t> weights() const { return weights_; }
  double unit() const { return unit_; }
  std::uint32_t most_weight() const { return most_weight_; }
  // Their bits (BitPlanes). Without weights, one plane: the rows that exist.
  std::vector<std::uint64_t> WeightPlanes() const;
  // Weights over the greatest one, for 64 · words() rows; none: all are 1.
  std::vector<float> WeightShares() const;

  double total() const { return total_; }          // rows by weight
  double total_yes() const { return total_yes_; }  // that answer yes

  // Σ weight · −ln P(answer), in nats.
  double Loss(std::span<const Logit> logits) const;
  // Its summands by halves of the table.
  std::array<double, 2> LossOfHalves(std::span<const Logit> logits) const;

 private:
  std::size_t rows_ = 0;
  PlaneMatrix tests_;
  std::vector<std::uint64_t> own_planes_;  // when not all rows of the table are here
  std::vector<std::uint64_t> yes_;
  std::vector<std::uint64_t> all_;
  std::vector<std::uint64_t> second_half_;  // bits of its rows
  std::vector<std::uint32_t> weights_;
  double unit_ = 1;
  std::uint32_t most_weight_ = 1;
  double total_ = 0;
  double total_yes_ = 0;
};

}  // namespace dtf
