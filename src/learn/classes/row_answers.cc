#include "learn/classes/row_answers.h"

#include <algorithm>

#include "learn/questions/question_tree.h"

namespace dtf {

RowAnswers::RowAnswers(const WeightedRows& rows, std::span<const Feature> order,
                       std::span<const std::vector<Question>> questions, std::span<const CodeTest> tests)
    : begin_{0}, codes_(rows.codes.rows * order.size()) {
  std::vector<std::size_t> position_of(order.size());
  for (std::size_t p = 0; p < order.size(); ++p) {
    position_of[order[p]] = p;
    paths_.push_back(FindPaths(questions[order[p]]));
    test_of_.emplace_back(paths_[p].size(), kNoTest);
    begin_.push_back(begin_.back() + questions[order[p]].size());
    rows.codes.columns[order[p]].Visit([&](auto cells) {
      const std::size_t none = paths_[p].size();
      for (std::size_t i = 0; i < cells.size(); ++i) {
        codes_[i * order.size() + p] = static_cast<std::uint16_t>(std::min<std::size_t>(cells[i], none));
      }
    });
  }
  for (std::uint32_t t = 0; t < tests.size(); ++t) test_of_[position_of[tests[t].column]][tests[t].first] = t;
}

void RowAnswers::Read(std::size_t row, AnsweredRow& answered) const {
  answered.answers.clear();
  answered.passed.clear();
  const std::uint16_t* codes = codes_.data() + row * paths_.size();
  for (std::size_t p = 0; p < paths_.size(); ++p) {
    if (codes[p] == paths_[p].size()) continue;
    for (const std::uint32_t answer : paths_[p][codes[p]]) {
      answered.answers.push_back({answer / 2 + static_cast<std::uint32_t>(begin_[p]), answer % 2 != 0});
    }
    if (test_of_[p][codes[p]] != kNoTest) answered.passed.push_back(test_of_[p][codes[p]]);
  }
}

}  // namespace dtf
