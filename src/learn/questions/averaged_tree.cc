#include "learn/questions/averaged_tree.h"

#include <vector>

#include "base/exponential.h"
#include "base/logarithm.h"
#include "base/softmax.h"
#include "count/answers.h"
#include "learn/questions/entropy_rule.h"
#include "learn/questions/grow_tree.h"
#include "learn/questions/logits.h"
#include "learn/questions/marginals.h"

namespace dtf {
namespace {

constexpr int kMostDepth = 30;
constexpr double kLeastGain = 0.5;  // nats

// Weights and answers as planes: the yes rows' weights, then all rows' weights.
struct AnswerPlanes {
  explicit AnswerPlanes(const QuestionRows& rows) {
    const std::size_t words = rows.words();
    const std::vector<std::uint64_t> all = rows.WeightPlanes();
    bits = static_cast<int>(all.size() / words);
    for (std::size_t i = 0; i < all.size(); ++i) planes.push_back(all[i] & rows.yes()[i % words]);
    planes.insert(planes.end(), all.begin(), all.end());
  }

  int bits = 1;
  std::vector<std::uint64_t> planes;
};

// The averaged prediction at each leaf, in the order of ShapeOf. `marginal`: the root's own.
std::vector<double> AverageOverPrunings(std::span<const QuestionNode> nodes, double unit, std::size_t tests,
                                        double marginal) {
  const double split_prior = 0.5 / static_cast<double>(tests);
  const double ln_split = Ln(split_prior);
  const double ln_stop = Ln(1 - split_prior);
  std::vector<double> evidence(nodes.size());
  std::vector<double> own_share(nodes.size(), 1);  // of the node's own prediction
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const QuestionNode& node = nodes[i];
    const double own = LnEvidence(unit * node.sums.first, unit * (node.sums.second - node.sums.first));
    evidence[i] = own;
    if (node.pass < 0) continue;
    const double children =
        evidence[static_cast<std::size_t>(node.pass)] + evidence[static_cast<std::size_t>(node.fail)];
    const double outcomes[] = {ln_stop + own, ln_split + children};
    evidence[i] = LnSumExp(2, [&](std::size_t outcome) { return outcomes[outcome]; });
    own_share[i] = Exp(outcomes[0] - evidence[i]);
  }
  std::vector<double> sum(nodes.size(), 0);   // the prediction so far, from the root
  std::vector<double> rest(nodes.size(), 1);  // the weight still to be given
  std::vector<double> leaves;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const QuestionNode& node = nodes[i];
    const double own = i == 0 ? marginal : (unit * node.sums.first + 0.5) / (unit * node.sums.second + 1);
    const double here = sum[i] + rest[i] * own_share[i] * own;
    if (node.pass < 0) {
      leaves.push_back(here);
      continue;
    }
    for (const std::int32_t child : {node.pass, node.fail}) {
      sum[static_cast<std::size_t>(child)] = here;
      rest[static_cast<std::size_t>(child)] = rest[i] * (1 - own_share[i]);
    }
  }
  return leaves;
}

}  // namespace

LogitTree GrowAveragedTree(const QuestionRows& rows, Logit marginal) {
  std::vector<std::uint32_t> tests(rows.tests().planes);
  for (std::uint32_t t = 0; t < tests.size(); ++t) tests[t] = t;
  const AnswerPlanes weights(rows);
  const SummedPlanes summed = {weights.planes.data(), rows.words(), weights.bits, weights.bits, false};
  const EntropyRule rule(rows.unit(), static_cast<std::int32_t>(rows.total() / rows.unit()), kLeastGain);
  TreeGrower grower;
  const auto nodes = grower.Grow(rows.tests(), tests, summed, rows.all(), rule, {.depth = kMostDepth});
  LogitTree tree = ShapeOf(nodes);
  const auto predictions =
      AverageOverPrunings(nodes, rows.unit(), std::max<std::size_t>(tests.size(), 1), AnswerProbability(marginal));
  for (std::size_t l = 0; l < predictions.size(); ++l) {
    tree.leaves[l] = OddsLogit(predictions[l], 1 - predictions[l]);
  }
  return tree;
}

}  // namespace dtf
