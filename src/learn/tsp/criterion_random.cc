// RND (paper section 3.1): a feature uniform among those with two or more codes present, then a code uniform among
// those present.
#include "base/random.h"
#include "learn/tsp/criterion.h"

namespace dtf {
namespace {

class RandomCriterion : public Criterion {
 public:
  explicit RandomCriterion(std::uint64_t seed) : seed_(seed) {}

  void StartLayer(const CodeLayout& /*layout*/, const NodeCounts& /*all*/) override {}

  std::optional<Candidate> BestSplit(const NodeTask& task) override {
    RandomStream random(seed_, RandomPurpose::kSplit, task.layer, task.node);
    const Feature feature = task.features[random.Below(task.features.size())];
    const auto present = task.counter.present(feature);
    return Candidate{feature, present[random.Below(present.size())]};
  }

 private:
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<Criterion> MakeRandomCriterion(std::uint64_t seed) { return std::make_unique<RandomCriterion>(seed); }

}  // namespace dtf
