// The rows that reach a yes/no question, to learn it from or to validate it by.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ragged.h"
#include "count/planes.h"
#include "learn/questions/context_tests.h"
#include "learn/questions/question_tree.h"
#include "learn/weighted_rows.h"
#include "tree/logit_tree.h"

namespace dtf {

// The weights as questions take them: none is 0, and they sum to less than 2^32.
CoarseWeights QuestionWeights(const WeightedRows& rows);

// A column that questions are asked about. If there are many, most are reached by few rows; so the rows are listed by
// category once, as searching the table for each question would take categories · rows.
class AskedColumn {
 public:
  // Keeps references to both.
  AskedColumn(const CodeColumn& cells, const QuestionRanges& ranges);

  const CodeColumn& cells() const { return cells_; }
  const QuestionRanges& ranges() const { return ranges_; }
  // The rows that reach the question, ascending; none if they are many, or the column has few questions.
  std::optional<std::vector<std::uint32_t>> FewRows(std::size_t question) const;

 private:
  const CodeColumn& cells_;
  const QuestionRanges& ranges_;
  // If there are many questions: the rows by the position of their category (QuestionRanges).
  Ragged<std::uint32_t> rows_;
};

// What is added to a question's bias, by the code of another column; 0 for codes past the last.
struct CodeLogits {
  const CodeColumn& cells;
  std::span<const Logit> logits;
};

class QuestionRows {
 public:
  // The rows whose category is at the question's positions [first, last) (QuestionRanges); those before its middle
  // answer yes. `tests`: which planes of `contexts` to take, ascending. The table's second half begins at row
  // `first_half` (HalvedRows).
  QuestionRows(const AskedColumn& column, std::size_t question, const CoarseWeights& weights,
               const ContextPlanes& contexts, std::span<const std::uint32_t> tests, std::size_t first_half = 0,
               const std::optional<CodeLogits>& start = std::nullopt);

  std::size_t rows() const { return rows_; }
  std::size_t words() const { return PlaneWords(rows_); }
  PlaneMatrix tests() const { return tests_; }
  const std::uint64_t* yes() const { return yes_.data(); }
  std::span<const std::uint64_t> all() const { return all_; }  // bits of the rows that exist

  // In units of unit() rows; empty: each row is one unit.
  std::span<const std::uint32_t> weights() const { return weights_; }
  double unit() const { return unit_; }
  std::uint32_t most_weight() const { return most_weight_; }
  // The weights' bits (BitPlanes). Without weights, one plane: all().
  std::vector<std::uint64_t> WeightPlanes() const;
  // Weights over the greatest one, for 64 · words() rows; empty: all are 1.
  std::vector<float> WeightShares() const;

  double total() const { return total_; }          // weight of all rows, in rows
  double total_yes() const { return total_yes_; }  // weight of those that answer yes

  // By row, the logit that the question starts from, less its bias; empty: 0 for all.
  std::span<const Logit> start() const { return start_; }

  // Σ weight · −ln P(answer), in nats.
  double Loss(std::span<const Logit> logits) const;
  // Its summands by halves of the table.
  std::array<double, 2> LossOfHalves(std::span<const Logit> logits) const;

 private:
  // The constructor's arguments.
  struct Source {
    const AskedColumn& column;
    std::size_t question;
    const CoarseWeights& weights;
    const ContextPlanes& contexts;
    std::span<const std::uint32_t> tests;
    std::size_t first_half;
    std::optional<CodeLogits> start;
  };
  void TakeFew(std::span<const std::uint32_t> rows, const Source& source);
  void TakeMany(const Source& source);
  void BeginWith(const CodeLogits& start, std::size_t row) {
    const Code code = start.cells.At(row);
    start_.push_back(code < start.logits.size() ? start.logits[code] : 0);
  }

  std::size_t rows_ = 0;
  PlaneMatrix tests_;
  std::vector<std::uint64_t> own_planes_;  // of tests_, unless these are the table's own first planes
  std::vector<std::uint64_t> yes_;
  std::vector<std::uint64_t> all_;
  std::vector<std::uint64_t> second_half_;  // bits of its rows
  std::vector<std::uint32_t> weights_;
  std::vector<Logit> start_;
  double unit_ = 1;
  std::uint32_t most_weight_ = 1;
  double total_ = 0;
  double total_yes_ = 0;
};

}  // namespace dtf
