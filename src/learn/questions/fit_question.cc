#include "learn/questions/fit_question.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "count/logit_kernels.h"
#include "learn/questions/averaged_tree.h"
#include "learn/questions/ridge_by_rows.h"

namespace dtf {
namespace {

// Turns the tree's leaves, which are logits, into what is added to `bias` to go `share` of the way to them.
void MoveTowards(Logit bias, double share, LogitTree& tree) {
  for (Logit& leaf : tree.leaves) {
    leaf = static_cast<Logit>(std::floor(share * (static_cast<double>(leaf) - bias) + 0.5));
  }
}

void AddStart(const QuestionRows& rows, std::vector<Logit>& logits) {
  std::ranges::transform(rows.start(), logits, logits.begin(), std::plus<>());
}

// A metric of the question's own rows, which are often few: a column of many categories has thousands of questions.
std::unique_ptr<const RidgeMetric> OwnMetric(const QuestionRows& train) {
  if (IsCheaperByRows(train.rows(), train.tests().planes))
    return std::make_unique<RidgeByRows>(train, kRidgeMetricRows);
  return std::make_unique<RidgeFactor>(train, kRidgeMetricRows);
}

// Calls f with the metric for a regression: `factor`, or else one of the question's own rows.
template <typename F>
auto WithMetric(const QuestionRows& train, const RidgeFactor* factor, F&& f) {
  const auto own = factor == nullptr ? OwnMetric(train) : nullptr;
  return f(factor == nullptr ? *own : static_cast<const RidgeMetric&>(*factor));
}

// Learns the start of a question. Returns the regression's QuestionFit::evaluations.
int Start(const QuestionRows& train, const QuestionRows* valid, const Learner& learner, const RidgeFactor* factor,
          double ridge_penalty, QuestionLogits& logits, Question& question) {
  const Logit marginal = question.bias;
  logits.train.assign(64 * train.words(), marginal);
  if (valid != nullptr) logits.valid.assign(64 * valid->words(), marginal);
  int evaluations = 0;
  if (train.tests().planes == 0) return evaluations;
  if (!train.start().empty()) {
    AddStart(train, logits.train);
    if (valid != nullptr) AddStart(*valid, logits.valid);
    return evaluations;
  }
  if (learner.ridge) {
    LinearFit fit = WithMetric(train, factor, [&](const RidgeMetric& metric) {
      return FitLinear(train, valid, metric, ridge_penalty, marginal, logits);
    });
    question.bias = fit.bias;
    evaluations = fit.evaluations;
    question.terms = std::move(fit.terms);
  }
  if (learner.tree_share > 0) {
    LogitTree tree = GrowAveragedTree(train, marginal);
    MoveTowards(question.bias, learner.tree_share, tree);
    AddTree(tree, train.tests(), logits.train);
    if (valid != nullptr) AddTree(tree, valid->tests(), logits.valid);
    if (!tree.nodes.empty()) question.trees.push_back(std::move(tree));
  }
  return evaluations;
}

}  // namespace

void TrimTrees(int rounds, QuestionFit& fit, Question& question) {
  const int surplus = std::max(fit.boosted - rounds, 0);
  question.trees.resize(question.trees.size() - static_cast<std::size_t>(surplus));
  fit.boosted -= surplus;
}

QuestionFit FitQuestion(const QuestionRows& train, const QuestionRows* valid, const Learner& learner,
                        const RidgeFactor* factor, double ridge_penalty, std::optional<int> boost_rounds,
                        std::uint64_t seed, Question& question) {
  QuestionFit done{.evaluations = 0, .boosted = 0, .rounds = 0, .losses = {}};
  QuestionLogits logits;
  done.evaluations = Start(train, valid, learner, factor, ridge_penalty, logits, question);
  if (!learner.boost || train.total_yes() == 0 || train.total_yes() == train.total()) return done;
  // Without validation rows or a given number of rounds, nothing says when to stop: no boosting.
  if (valid == nullptr && !boost_rounds) return done;
  BoostedTrees boosted = Boost(train, valid, *learner.boost, boost_rounds, seed, logits);
  done.boosted = static_cast<int>(boosted.trees.size());
  done.rounds = boosted.rounds;
  done.losses = std::move(boosted.losses);
  for (LogitTree& tree : boosted.trees) question.trees.push_back(std::move(tree));
  return done;
}

LinearTrials LinearLosses(const QuestionRows& train, const QuestionRows& valid, const RidgeFactor* factor,
                          std::span<const double> penalties, Logit marginal) {
  return WithMetric(train, factor,
                    [&](const RidgeMetric& metric) { return LinearLosses(train, valid, metric, penalties, marginal); });
}

}  // namespace dtf
