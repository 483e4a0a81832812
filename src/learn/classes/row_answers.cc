#include "learn/classes/row_answers.h"

#include "learn/questions/question_tree.h"

namespace dtf {

RowAnswers ListAnswers(const WeightedRows& rows, std::span<const Feature> order,
                       std::span<const std::vector<Question>> questions, std::span<const CodeTest> tests) {
  RowAnswers result{.begin = {0}, .answers = {}, .passed = {}};
  std::vector<Ragged<std::uint32_t>> paths;
  for (const Feature column : order) {
    paths.push_back(FindPaths(questions[column]));
    result.begin.push_back(result.begin.back() + questions[column].size());
  }
  std::vector<std::uint32_t> list;
  for (std::size_t i = 0; i < rows.codes.rows; ++i) {
    list.clear();
    for (std::size_t p = 0; p < order.size(); ++p) {
      const Code code = rows.codes.columns[order[p]].At(i);
      if (code >= paths[p].size()) continue;
      for (const std::uint32_t answer : paths[p][code]) {
        list.push_back(answer + 2 * static_cast<std::uint32_t>(result.begin[p]));
      }
    }
    result.answers.Append(list);
    list.clear();
    for (std::uint32_t t = 0; t < tests.size(); ++t) {
      const Code code = rows.codes.columns[tests[t].column].At(i);
      if (code >= tests[t].first && code <= tests[t].last) list.push_back(t);
    }
    result.passed.Append(list);
  }
  return result;
}

}  // namespace dtf
