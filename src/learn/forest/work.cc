#include "learn/forest/work.h"

#include <algorithm>
#include <bit>

#include "learn/questions/ridge_by_rows.h"

namespace dtf {

double WorkOfTrees(const Question& question, const Learner& learner, int rounds, std::size_t all_rows,
                   std::size_t all_tests) {
  constexpr double kDrawnTest = 4;
  constexpr double kRow = 7;
  constexpr double kRowTest = 0.02;  // a level
  constexpr double kLeaf = 570;
  constexpr double kLeafTest = 3.2;
  const auto rows = static_cast<double>(all_rows);
  double tests = static_cast<double>(all_tests);
  if (learner.boost) {
    tests =
        std::min(tests, std::max(learner.boost->column_share * tests, static_cast<double>(learner.boost->least_tests)));
  }
  double work = kDrawnTest * static_cast<double>(all_tests) * rounds;
  for (const LogitTree& tree : question.trees) {
    const auto leaves = static_cast<double>(tree.leaves.size());
    const auto levels = static_cast<double>(std::bit_width(tree.leaves.size()));
    const double cells = rows * tests;
    work += kRow * rows + kRowTest * levels * cells + leaves * (kLeaf + kLeafTest * tests);
  }
  return work;
}

double WorkOfRegression(int evaluations, std::size_t all_rows, std::size_t all_tests, bool shares_metric) {
  constexpr double kRow = 4;
  constexpr double kCell = 0.03;
  constexpr double kProduct = 0.3;
  constexpr double kCounted = 0.001;  // a row and pair of tests
  if (evaluations == 0) return 0;
  const auto rows = static_cast<double>(all_rows);
  const auto tests = static_cast<double>(all_tests);
  double made = 0;
  double divided = tests * tests;
  if (!shares_metric && IsCheaperByRows(all_rows, all_tests)) {
    made = kProduct * rows * rows * tests / 2;
    divided = 2 * rows * tests;
  } else if (!shares_metric) {
    made = tests * tests * (kCounted * rows + kProduct * tests / 6);
  }
  return made + evaluations * (rows * (kRow + kCell * tests) + kProduct * divided);
}

double WorkOfCounts(std::size_t rows, std::span<const Conditioner> conditioners) {
  constexpr double kCell = 20;
  constexpr double kLeaf = 100;
  double work = kCell * static_cast<double>(rows * conditioners.size());
  for (const Conditioner& conditioner : conditioners) {
    for (const Question& question : conditioner.questions) {
      if (!question.trees.empty()) work += kLeaf * static_cast<double>(question.trees[0].leaves.size());
    }
  }
  return work;
}

}  // namespace dtf
