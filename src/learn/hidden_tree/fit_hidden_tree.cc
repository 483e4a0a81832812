#include "learn/hidden_tree/fit_hidden_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/exponential.h"
#include "base/logarithm.h"
#include "base/stop.h"
#include "learn/hidden_tree/expected_shares.h"
#include "learn/hidden_tree/row_batches.h"
#include "learn/hidden_tree/state_model.h"
#include "learn/hidden_tree/state_numbers.h"
#include "learn/hidden_tree/subtree_patterns.h"

namespace dtf {
namespace {

constexpr std::size_t kPassesOfDeal = 10;  // before rows are dealt into other batches
constexpr double kLastStep = 0.01;         // the first one goes all the way
constexpr float kFaint = 1e-30f;           // counts as 0, before it becomes subnormal

std::size_t WholePasses(double passes) { return static_cast<std::size_t>(std::max(1.0, std::ceil(passes))); }

// Goes a part of the way.
void MoveTowards(std::span<const float> aim, float part, std::span<float> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const float moved = numbers[i] + part * (aim[i] - numbers[i]);
    numbers[i] = moved > kFaint ? moved : 0.0f;
  }
}

class TreeLearner {
 public:
  TreeLearner(const ColumnTree& tree, const WeightedRows& rows, std::span<const Code> sizes,
              const HiddenTreeOptions& options, std::uint64_t seed)
      : options_(options),
        seed_(seed),
        prior_share_(static_cast<float>(options.prior_rows / rows.TotalRows())),
        passes_(WholePasses(options.passes)),
        batches_(tree, rows),
        model_(tree, rows, sizes, options.states, seed, options.number),
        expectation_(tree),
        of_batch_(tree, sizes, options.states),
        of_table_(tree, sizes, options.states) {}

  HiddenTree Learn() {
    for (std::size_t pass = 0; pass < passes_; ++pass) {
      if (pass % kPassesOfDeal == 0) batches_.Deal(seed_, options_.number, pass);
      for (const std::size_t batch : ShuffledNumbers(batches_.count(), seed_, 2 * pass + 1, options_.number)) {
        ThrowIfStopped();
        LearnFrom(batch);
      }
    }
    return model_.ToHiddenTree();
  }

 private:
  void LearnFrom(std::size_t batch) {
    expectation_.Find(model_, batches_.PatternsOf(batch), of_batch_);
    const double done = static_cast<double>(step_++) / static_cast<double>(passes_ * batches_.count());
    MoveTowards(of_batch_.all(), static_cast<float>(Exp(done * Ln(kLastStep))), of_table_.all());
    model_.Learn(of_table_, prior_share_);
  }

  const HiddenTreeOptions& options_;
  std::uint64_t seed_;
  float prior_share_;
  std::size_t passes_;
  RowBatches batches_;
  StateModel model_;
  ExpectedShares expectation_;
  StateNumbers of_batch_;
  StateNumbers of_table_;
  std::size_t step_ = 0;
};

}  // namespace

HiddenTree FitHiddenTree(const ColumnTree& tree, const WeightedRows& rows, std::span<const Code> sizes,
                         const HiddenTreeOptions& options, std::uint64_t seed) {
  return TreeLearner(tree, rows, sizes, options, seed).Learn();
}

double WorkOfHiddenTree(const ColumnTree& tree, const WeightedRows& rows, std::span<const Code> sizes,
                        const HiddenTreeOptions& options) {
  constexpr double kProduct = 0.05;  // of two states, for a pattern
  constexpr double kLink = 1.5;      // of a pattern and a child's, for a state
  constexpr double kNumber = 5.8;    // that is learnt
  RowBatches batches(tree, rows);
  batches.Deal(0, 0, 0);
  const SubtreePatterns& patterns = batches.PatternsOf(0);
  const auto states = static_cast<double>(options.states);
  const auto padded = static_cast<double>(PaddedFloats(options.states));
  const double categories = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  const double of_batch = padded * (kLink * static_cast<double>(patterns.CountLinks()) +
                                    kProduct * states * static_cast<double>(patterns.Count()) +
                                    kNumber * (states * static_cast<double>(tree.size()) + categories));
  return static_cast<double>(WholePasses(options.passes) * batches.count()) * of_batch;
}

}  // namespace dtf
