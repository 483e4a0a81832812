// What the columns of a member begin with that follow one before them (differences.h).
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
  // No column begins with anything.
  explicit DifferenceStarts(std::size_t columns) : of_columns_(columns) {}

  // Of a column's differences from those before it in the order, the one that gains most; but where there are many
  // categories, of so many columns only. Keeps references to the differences.
  DifferenceStarts(std::span<const std::vector<Difference>> differences, std::span<const Feature> order);

  // questions: the column's, which have learnt nothing but their bias. Of different columns at the same time, too.
  void Learn(const WeightedRows& rows, Feature column, std::span<const Question> questions);

  // Whether something was learnt: of too few rows nothing is.
  bool Has(Feature column) const {
    return !of_columns_[column].logits.empty() && !of_columns_[column].logits[0].empty();
  }

  // What the rows of a question of the column begin with; none: nothing.
  std::optional<CodeLogits> Of(Feature column, std::size_t question, const CodeTable& codes) const;

  // As trees, before the questions' other trees, with tests of their own.
  void AddTo(std::span<const Code> sizes, std::vector<CodeTest>& tests, std::vector<Conditioner>& conditioners) const;

 private:
  struct OfColumn {
    const Difference* difference = nullptr;
    std::vector<std::vector<Logit>> logits;  // as LearnDifference has them
  };

  std::vector<OfColumn> of_columns_;
};

}  // namespace dtf
