#include "learn/forest/difference_starts.h"

#include <cstdint>
#include <utility>

#include "learn/questions/category_tree.h"

namespace dtf {
namespace {

constexpr double kMostLeaves = 0x1p20;  // of the trees of all columns

}  // namespace

DifferenceStarts::DifferenceStarts(std::span<const std::vector<Difference>> differences, std::span<const Feature> order)
    : of_columns_(differences.size()) {
  std::vector<bool> is_before(differences.size());
  double leaves = 0;
  for (const Feature column : order) {
    for (const Difference& difference : differences[column]) {
      const double more = static_cast<double>(difference.from_values) * difference.values;
      if (!is_before[difference.from] || leaves + more > kMostLeaves) continue;
      of_columns_[column].difference = &difference;
      leaves += more;
      break;
    }
    is_before[column] = true;
  }
}

void DifferenceStarts::Learn(const WeightedRows& rows, Feature column, std::span<const Question> questions) {
  OfColumn& of_column = of_columns_[column];
  if (of_column.difference != nullptr) {
    of_column.logits = LearnDifference(rows, column, *of_column.difference, questions);
  }
}

std::optional<CodeLogits> DifferenceStarts::Of(Feature column, std::size_t question, const CodeTable& codes) const {
  if (!Has(column)) return std::nullopt;
  const OfColumn& of_column = of_columns_[column];
  return CodeLogits{codes.columns[of_column.difference->from], of_column.logits[question]};
}

void DifferenceStarts::AddTo(std::span<const Code> sizes, std::vector<CodeTest>& tests,
                             std::vector<Conditioner>& conditioners) const {
  std::vector<std::optional<std::uint32_t>> first_test(of_columns_.size());  // of the columns that others follow
  for (Feature column = 0; column < of_columns_.size(); ++column) {
    const auto& [difference, logits] = of_columns_[column];
    for (std::size_t q = 0; q < logits.size(); ++q) {
      std::optional<std::uint32_t>& first = first_test[difference->from];
      if (!first) {
        first = static_cast<std::uint32_t>(tests.size());
        for (Code last = 0; last < sizes[difference->from]; ++last) tests.push_back({difference->from, 0, last});
      }
      CategoryTree growing(*first);
      for (Code code = 0; code < logits[q].size(); ++code) growing.Add(code, logits[q][code]);
      LogitTree tree = growing.Make();
      auto& trees = conditioners[column].questions[q].trees;
      if (!tree.nodes.empty()) trees.insert(trees.begin(), std::move(tree));
    }
  }
}

}  // namespace dtf
