// RND (paper section 3.1): a feature uniform among those with two or more codes present, then a code uniform among
// those present. With several codes to the left: first how many, uniform; then a set of so many, uniform.
#include <algorithm>

#include "base/random.h"
#include "learn/tsp/criterion.h"

namespace dtf {
namespace {

class RandomCriterion : public Criterion {
 public:
  RandomCriterion(std::uint64_t seed, std::uint64_t split_values) : seed_(seed), split_values_(split_values) {}

  void StartLayer(const CodeLayout& /*layout*/, const NodeCounts& /*all*/) override {}

  std::optional<SetSplit> BestSplit(const NodeTask& task) override {
    RandomStream random(seed_, RandomPurpose::kSplit, task.layer, task.node);
    const Feature feature = task.features[random.Below(task.features.size())];
    const auto present = task.counter.present(feature);
    const std::uint64_t most = std::min<std::uint64_t>(split_values_, present.size() - 1);
    const std::uint64_t size = most == 1 ? 1 : 1 + random.Below(most);
    std::vector<Code> left(present.begin(), present.end());
    random.DrawFirst(std::span(left), size);
    left.resize(size);
    std::sort(left.begin(), left.end());
    return SetSplit{feature, std::move(left)};
  }

 private:
  std::uint64_t seed_;
  std::uint64_t split_values_;
};

}  // namespace

std::unique_ptr<Criterion> MakeRandomCriterion(std::uint64_t seed, std::uint64_t split_values) {
  return std::make_unique<RandomCriterion>(seed, split_values);
}

}  // namespace dtf
