// What each row answers to the questions of its columns, and which tests it passes, with the columns in some order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ragged.h"
#include "flow/conditioner.h"
#include "learn/questions/context_tests.h"
#include "learn/weighted_rows.h"

namespace dtf {

struct RowAnswers {
  // Questions are numbered one column after the other, in the order; by position: those of the columns before it.
  std::vector<std::size_t> begin;  // columns + 1
  Ragged<std::uint32_t> answers;   // of each row: 2 · question + (it is yes); none for a cell without a category
  Ragged<std::uint32_t> passed;    // of each row: the tests

  std::size_t questions() const { return begin.back(); }
};

// questions: of each column. tests: of the columns in this order.
RowAnswers ListAnswers(const WeightedRows& rows, std::span<const Feature> order,
                       std::span<const std::vector<Question>> questions, std::span<const CodeTest> tests);

}  // namespace dtf
