#include "learn/questions/boosted.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "base/stop.h"
#include "count/logit_kernels.h"
#include "learn/questions/logits.h"
#include "learn/questions/newton_rule.h"

namespace dtf {
namespace {

// The largest value of a leaf: even thousands of trees do not overflow a logit.
constexpr double kMostLeafNats = 4;

// The shrinkage grows by its first value in every kRoundsToDouble rounds; more slowly with many rows (rows /
// kRowsPerRound), which suffice to learn in small steps. Where an answer is all but certain, each tree corrects little
// of what is left, and hundreds of equal steps would take three times as long without a better held-out loss.
constexpr double kRoundsToDouble = 50;
constexpr double kRowsPerRound = 250;

// With fewer rows, all are used for each tree.
constexpr std::size_t kLeastDrawnFrom = 1500;
constexpr int kShareBits = 8;  // binary digits of the share of the rows that are drawn

class Booster {
 public:
  Booster(const QuestionRows& train, const BoostOptions& options, std::uint64_t seed)
      : train_(train),
        options_(options),
        seed_(seed),
        bits_(ChooseBits(train)),
        rounds_to_double_(std::max(kRoundsToDouble, static_cast<double>(train.rows()) / kRowsPerRound)),
        shares_(train.WeightShares()),
        gradients_(64 * train.words()),
        hessians_(64 * train.words()),
        leaf_of_row_(64 * train.words()),
        planes_(static_cast<std::size_t>(bits_.planes()) * train.words()) {}

  // The next tree, for rows with these logits; none when no split is worth making.
  std::optional<LogitTree> NextTree(std::span<const Logit> logits, int round) {
    const Derivatives derivatives = {gradients_, hessians_};
    const DerivativeBounds bounds = FindDerivatives(logits, train_.yes(), shares_, train_.rows(), derivatives);
    RandomStream random(seed_, RandomPurpose::kBoost, static_cast<std::uint64_t>(round));
    QuantiseDerivatives(gradients_, hessians_, bounds, bits_, static_cast<std::uint32_t>(random.Next()), planes_.data(),
                        train_.words());
    const SummedPlanes summed = {planes_.data(), train_.words(), bits_.gradient, bits_.hessian, true};
    const double gradient_unit = unit() * bounds.gradient / ((1 << (bits_.gradient - 1)) - 1);
    const double hessian_unit = unit() * bounds.hessian / ((1 << bits_.hessian) - 1);
    const NewtonRule rule(gradient_unit, hessian_unit, options_.lambda, options_.min_hessian, options_.min_gain);
    DrawTests(random);
    const auto nodes = grower_.Grow(train_.tests(), chosen_, summed, DrawRows(random), rule,
                                    {.depth = options_.depth, .leaves = options_.leaves});
    if (nodes.size() == 1) return std::nullopt;
    LogitTree tree = ShapeOf(nodes);
    FindLeaves(tree, train_.tests(), leaf_of_row_);
    SetLeaves(tree, options_.shrinkage * (1 + round / rounds_to_double_));
    return tree;
  }

  // The leaf of the last tree that each row ends in.
  std::span<const std::int32_t> leaf_of_row() const { return leaf_of_row_; }

  // Whether rounds differ by chance, so that another one may find a tree where one has found none.
  bool draws() const { return DrawnTests() < train_.tests().planes || draws_rows(); }

 private:
  // Quantising changes a row's gradient by a random error of at most a step. The error of a node's sum must be no
  // larger than with rows of equal weight, so heavy rows among light ones need finer steps.
  static QuantisedBits ChooseBits(const QuestionRows& rows) {
    QuantisedBits bits;
    if (rows.weights().empty()) return bits;
    const double mean = rows.total() / rows.unit() / static_cast<double>(rows.rows());
    const double spread = std::min(rows.most_weight() * std::sqrt(rows.unit() / mean), 0x1p20);
    const int more = std::bit_width(static_cast<std::uint32_t>(spread));
    // Sums over all rows must stay within 31 bits. (Rows without weights have the default bits: kMostDistinctRows in
    // fit_forest.cc sees to it.)
    const int most = 30 - static_cast<int>(std::bit_width(rows.rows()));
    bits.gradient = std::clamp(bits.gradient + more, 2, std::max(most, 5));
    bits.hessian = std::clamp(bits.hessian + more, 2, std::max(most, 3));
    return bits;
  }

  bool draws_rows() const { return ShareOfRows() < 1 << kShareBits && train_.rows() >= kLeastDrawnFrom; }

  std::uint32_t ShareOfRows() const {
    return static_cast<std::uint32_t>(std::lround(options_.row_share * (1 << kShareBits)));
  }

  double unit() const { return train_.unit() * train_.most_weight() * 0x1p-21; }

  std::size_t DrawnTests() const {
    const std::size_t tests = train_.tests().planes;
    const auto share = static_cast<std::size_t>(std::ceil(options_.column_share * static_cast<double>(tests)));
    return std::min(tests, std::max<std::size_t>(share, static_cast<std::size_t>(options_.least_tests)));
  }

  // In ascending order, so that ties go to the lowest test. One random number serves two tests, with 32 bits each.
  void DrawTests(RandomStream& random) {
    const std::size_t tests = train_.tests().planes;
    const std::size_t wanted = DrawnTests();
    chosen_.resize(tests);
    std::uint32_t* const chosen = chosen_.data();
    std::size_t count = 0;
    std::uint64_t drawn = 0;
    for (std::size_t t = 0; t < tests; ++t) {
      if (wanted < tests) drawn = t % 2 == 0 ? random.Next() : drawn << 32;
      chosen[count] = static_cast<std::uint32_t>(t);  // kept if it is chosen: without a branch, which chance decides
      count += (drawn >> 32) * (tests - t) >> 32 < wanted - count ? 1 : 0;
    }
    chosen_.resize(count);
  }

  // Draws each row with the probability ShareOfRows() / 2^kShareBits, 64 rows at a time, by one random bit for each
  // binary digit of the share, the last digit first: where the digit is 1, a row joins with probability ½, and where it
  // is 0, it stays with probability ½.
  std::span<const std::uint64_t> DrawRows(RandomStream& random) {
    if (!draws_rows()) return train_.all();
    const std::uint32_t share = ShareOfRows();
    drawn_.resize(train_.words());
    for (std::size_t w = 0; w < drawn_.size(); ++w) {
      std::uint64_t word = 0;
      for (int bit = std::countr_zero(share); bit < kShareBits; ++bit) {
        word = (share >> bit & 1) != 0 ? word | random.Next() : word & random.Next();
      }
      drawn_[w] = word & train_.all()[w];
    }
    return drawn_;
  }

  void SetLeaves(LogitTree& tree, double shrinkage) {
    sums_.resize(tree.leaves.size());
    SumLeaves(leaf_of_row_, gradients_, hessians_, sums_);
    for (std::size_t l = 0; l < sums_.size(); ++l) {
      const double gradient = unit() * static_cast<double>(sums_[l].gradient);
      const double hessian = unit() * static_cast<double>(sums_[l].hessian);
      tree.leaves[l] = ToLogit(shrinkage * gradient / (hessian + options_.lambda), kMostLeafNats);
    }
  }

  const QuestionRows& train_;
  const BoostOptions& options_;
  std::uint64_t seed_;
  QuantisedBits bits_;
  double rounds_to_double_;
  std::vector<float> shares_;
  std::vector<std::int32_t> gradients_;
  std::vector<std::int32_t> hessians_;
  std::vector<std::int32_t> leaf_of_row_;
  std::vector<std::uint64_t> planes_;
  std::vector<std::uint32_t> chosen_;
  std::vector<std::uint64_t> drawn_;
  std::vector<LeafSums> sums_;
  TreeGrower grower_;
};

}  // namespace

BoostedTrees Boost(const QuestionRows& train, const QuestionRows* valid, const BoostOptions& options,
                   std::optional<int> rounds, std::uint64_t seed, QuestionLogits& logits) {
  BoostedTrees boosted;
  if (train.tests().planes == 0 || train.rows() < 2) return boosted;
  std::vector<LogitTree>& trees = boosted.trees;
  Booster booster(train, options, seed);
  double best_loss = 0;
  const auto judge = [&] {
    boosted.losses.push_back(valid->LossOfHalves(logits.valid));
    return boosted.losses.back()[0] + boosted.losses.back()[1];
  };
  if (valid != nullptr) best_loss = judge();
  int without_gain = 0;
  for (int round = 0; round < rounds.value_or(options.most_rounds); ++round) {
    ThrowIfStopped();
    ++boosted.rounds;
    std::optional<LogitTree> tree = booster.NextTree(logits.train, round);
    if (!tree && !booster.draws()) break;
    double loss = best_loss;
    if (tree) {
      AddLeaves(tree->leaves, booster.leaf_of_row(), logits.train);
      if (valid != nullptr) AddTree(*tree, valid->tests(), logits.valid);
      trees.push_back(std::move(*tree));
      if (valid != nullptr) loss = judge();
    }
    if (valid == nullptr || rounds) continue;
    without_gain = loss < best_loss ? 0 : without_gain + 1;
    best_loss = std::min(best_loss, loss);
    if (without_gain >= options.patience) break;
  }
  return boosted;
}

}  // namespace dtf
