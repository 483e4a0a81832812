// Each row's answers to the questions about its columns, and the tests of single categories that it passes, with the
// columns in a given order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ragged.h"
#include "count/class_answers.h"
#include "flow/conditioner.h"
#include "learn/weighted_rows.h"

namespace dtf {

// One row. Questions are numbered column after column, in the order.
struct AnsweredRow {
  std::vector<RowAnswer> answers;     // none for a cell without a category
  std::vector<std::uint32_t> passed;  // positions of tests
};

class RowAnswers {
 public:
  // questions: by column. tests: each of one category; of columns in any order. REQUIRES: columns have fewer than 2^16
  // categories.
  RowAnswers(const WeightedRows& rows, std::span<const Feature> order, std::span<const std::vector<Question>> questions,
             std::span<const CodeTest> tests);

  // The first question of the column at this position of the order; for one past the last, the number of questions.
  std::size_t begin(std::size_t position) const { return begin_[position]; }
  std::size_t questions() const { return begin_.back(); }

  void Read(std::size_t row, AnsweredRow& answered) const;

 private:
  static constexpr std::uint32_t kNoTest = 0xffffffff;

  std::vector<std::size_t> begin_;
  // By position: of each category.
  std::vector<Ragged<std::uint32_t>> paths_;
  std::vector<std::vector<std::uint32_t>> test_of_;
  std::vector<std::uint16_t> codes_;  // row after row, in the order; what is no category is one past the last
};

}  // namespace dtf
