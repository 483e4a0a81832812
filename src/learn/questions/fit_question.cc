#include "learn/questions/fit_question.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "count/logit_kernels.h"
#include "learn/questions/averaged_tree.h"
#include "learn/questions/ridge_by_rows.h"

namespace dtf {
namespace {

// The tree's leaves, moved back towards `bias`, as what to add to it.
void MoveTowards(Logit bias, double share, LogitTree& tree) {
  for (Logit& leaf : tree.leaves) {
    leaf = static_cast<Logit>(std::floor(share * (static_cast<double>(leaf) - bias) + 0.5));
  }
}

// Of the question's own rows.
std::unique_ptr<const RidgeMetric> OwnMetric(const QuestionRows& train, const Learner& learner) {
  if (learner.ridge_by_rows) return std::make_unique<RidgeByRows>(train, *learner.ridge_lambda);
  return std::make_unique<RidgeFactor>(train, *learner.ridge_lambda);
}

void Start(const QuestionRows& train, const QuestionRows* valid, const Learner& learner, const RidgeFactor* factor,
           std::optional<QuestionSize> size, QuestionLogits& logits, QuestionSize& done, Question& question) {
  question.bias = MarginalLogit(train);
  logits.train.assign(64 * train.words(), question.bias);
  if (valid != nullptr) logits.valid.assign(64 * valid->words(), question.bias);
  if (train.tests().planes == 0) return;
  if (learner.ridge_lambda) {
    const auto own = factor == nullptr ? OwnMetric(train, learner) : nullptr;
    const RidgeMetric& metric = factor == nullptr ? *own : *factor;
    const std::optional<int> steps = size ? std::optional(size->linear_steps) : std::nullopt;
    auto [fit, kept] = FitLinear(train, valid, metric, LinearOptions(), steps, logits);
    question.bias = fit.bias;
    question.terms = std::move(fit.terms);
    done.linear_steps = kept;
  }
  if (learner.tree_share > 0) {
    LogitTree tree = GrowAveragedTree(train);
    MoveTowards(question.bias, learner.tree_share, tree);
    AddTree(tree, train.tests(), logits.train);
    if (valid != nullptr) AddTree(tree, valid->tests(), logits.valid);
    if (!tree.nodes.empty()) question.trees.push_back(std::move(tree));
  }
}

}  // namespace

void TrimTrees(int rounds, QuestionFit& fit, Question& question) {
  const int surplus = std::max(fit.boosted - rounds, 0);
  question.trees.resize(question.trees.size() - static_cast<std::size_t>(surplus));
  fit.boosted -= surplus;
}

QuestionFit FitQuestion(const QuestionRows& train, const QuestionRows* valid, const Learner& learner,
                        const RidgeFactor* factor, std::optional<QuestionSize> size, std::uint64_t seed,
                        Question& question) {
  QuestionFit done;
  QuestionLogits logits;
  Start(train, valid, learner, factor, size, logits, done.best, question);
  if (!learner.boost || train.total_yes() == 0 || train.total_yes() == train.total()) return done;
  // Nobody says when to stop: better not to begin.
  if (valid == nullptr && !size) return done;
  const std::optional<int> rounds = size ? std::optional(size->boost_rounds) : std::nullopt;
  auto [trees, best] = Boost(train, valid, *learner.boost, rounds, seed, logits);
  done.best.boost_rounds = static_cast<int>(best);
  done.boosted = static_cast<int>(trees.size());
  for (LogitTree& tree : trees) question.trees.push_back(std::move(tree));
  return done;
}

}  // namespace dtf
