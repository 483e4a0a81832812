#include "learn/forest/try_latents.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <variant>

#include "learn/forest/class_models.h"
#include "learn/forest/hidden_tree_models.h"

namespace dtf {
namespace {

// A hidden tree of less weight in the mixture is left out: others like it would bring nothing.
constexpr double kWorthMore = 0.05;

class Latents {
 public:
  explicit Latents(Growth& growth) : growth_(growth) {}

  // One thread learns a model, so all that need not wait for another are learnt at the same time.
  std::vector<JudgedLatent> Try(const std::function<double(const JudgedLatent&)>& weigh) {
    std::vector<LatentOptions> models = ClassModels(growth_);
    growth_.budget().Use(growth_.judge().WorkOfLatents(models));
    const std::vector<LatentOptions> trees = HiddenTreeModels(growth_);
    const auto first_tree = std::span(trees).first(trees.empty() ? 0 : 1);
    growth_.budget().Use(growth_.judge().WorkOfLatents(first_tree));
    models.insert(models.end(), first_tree.begin(), first_tree.end());
    std::vector<JudgedLatent> learnt = Learn(models);
    for (const JudgedLatent& model : learnt) {
      if (const auto* classes = std::get_if<ClassOptions>(&model.options)) {
        growth_.Say(Describe(*classes) + ": " + NatsOf(model));
      }
    }
    if (trees.empty()) return learnt;
    const double weight = weigh(learnt.back());
    growth_.Say("a tree of hidden states: " + NatsOf(learnt.back()) +
                "; its weight beside the members: " + Fixed(weight));
    if (weight < kWorthMore) {
      learnt.pop_back();
      return learnt;
    }
    const auto other_trees = std::span(trees).subspan(1);
    growth_.budget().Use(growth_.judge().WorkOfLatents(other_trees));
    std::ranges::move(Learn(other_trees), std::back_inserter(learnt));
    return learnt;
  }

 private:
  std::vector<JudgedLatent> Learn(std::span<const LatentOptions> models) const {
    return growth_.judge().LearnLatents(models, growth_.options().seed);
  }

  std::string NatsOf(const JudgedLatent& model) const { return Fixed(-growth_.MeanOf(model.scores)) + " nats per row"; }

  Growth& growth_;
};

}  // namespace

bool WantsLatents(const Growth& growth) {
  return growth.is_free() && growth.judge().has_rows() && growth.options().conditional_base && growth.columns() > 1;
}

std::vector<JudgedLatent> TryLatents(Growth& growth, const std::function<double(const JudgedLatent&)>& weigh) {
  return Latents(growth).Try(weigh);
}

}  // namespace dtf
