#include "learn/forest/choose_sizes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "base/exponential.h"
#include "base/logarithm.h"

namespace dtf {
namespace {

double LossOf(const std::array<double, 2>& halves, JudgingRows judging) {
  switch (judging) {
    case JudgingRows::kFirstHalf:
      return halves[0];
    case JudgingRows::kSecondHalf:
      return halves[1];
    case JudgingRows::kAll:
      break;
  }
  return halves[0] + halves[1];
}

// Adds a question's losses; one that has learnt no more trees keeps its last loss.
void Accumulate(const QuestionFit& fit, JudgingRows judging, std::vector<double>& sums) {
  for (std::size_t trees = 0; trees < sums.size(); ++trees) {
    sums[trees] += LossOf(fit.losses[std::min(trees, fit.losses.size() - 1)], judging);
  }
}

int PositionOfLeast(const std::vector<double>& losses) {
  return static_cast<int>(std::min_element(losses.begin(), losses.end()) - losses.begin());
}

int TreesOfItsOwn(const QuestionFit& fit, JudgingRows judging) {
  std::vector<double> losses(fit.losses.size());
  Accumulate(fit, judging, losses);
  return PositionOfLeast(losses);
}

// One number for all questions of these columns.
int TreesOfAll(std::span<const std::vector<QuestionFit>> fits, JudgingRows judging) {
  std::size_t most = 1;
  for (const auto& column : fits) {
    for (const QuestionFit& fit : column) most = std::max(most, fit.losses.size());
  }
  std::vector<double> sums(most);
  for (const auto& column : fits) {
    for (const QuestionFit& fit : column) {
      if (!fit.losses.empty()) Accumulate(fit, judging, sums);
    }
  }
  return PositionOfLeast(sums);
}

// How far, on a logarithmic scale, to go from a question's own number of trees (0) to the number that its column's
// questions, or all questions, choose together (1).
struct Pooling {
  double share = 0;
  bool by_column = false;
};

TreeCounts TreesBetween(const QuestionFits& fits, JudgingRows judging, const Pooling& pooling) {
  const double share = pooling.share;
  double ln_pooled = Ln(TreesOfAll(fits, judging) + 1.0);
  TreeCounts trees;
  for (const auto& column : fits) {
    auto& of_column = trees.emplace_back();
    if (pooling.by_column) ln_pooled = Ln(TreesOfAll({&column, 1}, judging) + 1.0);
    for (const QuestionFit& fit : column) {
      if (fit.losses.empty()) {
        of_column.push_back(fit.boosted);
        continue;
      }
      const double ln_own = Ln(TreesOfItsOwn(fit, judging) + 1.0);
      const double between = Exp((1 - share) * ln_own + share * ln_pooled) - 1;
      of_column.push_back(std::min(static_cast<int>(std::lround(between)), fit.boosted));
    }
  }
  return trees;
}

double LossOf(const QuestionFits& fits, const TreeCounts& trees, JudgingRows judging) {
  double sum = 0;
  for (std::size_t column = 0; column < fits.size(); ++column) {
    for (std::size_t q = 0; q < fits[column].size(); ++q) {
      const QuestionFit& fit = fits[column][q];
      if (!fit.losses.empty()) sum += LossOf(fit.losses[static_cast<std::size_t>(trees[column][q])], judging);
    }
  }
  return sum;
}

// That of the least loss of each half of the validation rows by the numbers of trees that the other half chooses.
Pooling BestPooling(const QuestionFits& fits) {
  Pooling best;
  double least = std::numeric_limits<double>::infinity();
  for (const Pooling& pooling : {Pooling{0, false}, {0.5, false}, {1, false}, {0.5, true}, {1, true}}) {
    const double loss = LossOf(fits, TreesBetween(fits, JudgingRows::kFirstHalf, pooling), JudgingRows::kSecondHalf) +
                        LossOf(fits, TreesBetween(fits, JudgingRows::kSecondHalf, pooling), JudgingRows::kFirstHalf);
    if (loss < least) {
      least = loss;
      best = pooling;
    }
  }
  return best;
}

}  // namespace

TreeCounts ChooseTreeCounts(const QuestionFits& fits, JudgingRows judging) {
  return TreesBetween(fits, judging, BestPooling(fits));
}

std::size_t PositionOfLeastSum(const std::vector<std::vector<double>>& losses) {
  if (losses.empty()) return 0;
  std::vector<double> sums(losses[0].size());
  for (const auto& of_question : losses) {
    std::transform(sums.begin(), sums.end(), of_question.begin(), sums.begin(), std::plus<>());
  }
  return static_cast<std::size_t>(PositionOfLeast(sums));
}

}  // namespace dtf
