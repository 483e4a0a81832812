// What the questions of a column start from in a member, where an earlier column predicts it by its difference
// (differences.h).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "flow/conditioner.h"
#include "learn/questions/differences.h"
#include "learn/questions/question_rows.h"
#include "learn/weighted_rows.h"

namespace dtf {

class DifferenceStarts {
 public:
  // No column has such a start.
  explicit DifferenceStarts(std::size_t columns) : of_columns_(columns) {}

  // differences: by column, the best first. Each column gets its best one from a column that is before it in the order;
  // none once the trees of all columns would have too many leaves. Keeps references to the differences.
  DifferenceStarts(std::span<const std::vector<Difference>> differences, std::span<const Feature> order);

  // questions: the column's, which have learnt nothing but their bias. May be called for several columns at a time.
  void Learn(const WeightedRows& rows, Feature column, std::span<const Question> questions);

  // Whether something was learnt: of too few rows nothing is.
  bool Has(Feature column) const {
    return !of_columns_[column].logits.empty() && !of_columns_[column].logits[0].empty();
  }

  // What is added to the bias for the rows of a question of the column; none if the column has no start.
  std::optional<CodeLogits> Of(Feature column, std::size_t question, const CodeTable& codes) const;

  // Adds the starts as trees, before the questions' other trees, and the tests that these need.
  void AddTo(std::span<const Code> sizes, std::vector<CodeTest>& tests, std::vector<Conditioner>& conditioners) const;

 private:
  struct OfColumn {
    const Difference* difference = nullptr;
    std::vector<std::vector<Logit>> logits;  // as LearnDifference has them
  };

  std::vector<OfColumn> of_columns_;
};

}  // namespace dtf
