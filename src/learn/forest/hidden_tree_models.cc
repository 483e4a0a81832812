#include "learn/forest/hidden_tree_models.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace dtf {
namespace {

// They differ in where they begin, and err differently: four gain half as much again as one, eight little more.
constexpr std::uint64_t kTrees = 4;
constexpr HiddenTreeOptions kOptions = {.states = 32, .passes = 20, .prior_rows = 0.3};
// All of them may take so much of the work so far; one thread learns a tree: half a minute at most.
constexpr double kMostShare = 0.3;
constexpr double kMostWork = 1e11;
// The states of a column times all categories, which a row is scored by.
constexpr std::size_t kMostCategories = 2048;

}  // namespace

std::vector<LatentOptions> HiddenTreeModels(Growth& growth) {
  const Judge& judge = growth.judge();
  if (judge.cross_validates() || growth.categories() > kMostCategories) return {};
  const double affordable = std::min(kMostWork, kMostShare * growth.budget().used());
  const double finding = WorkOfColumnTree(growth.rows(), growth.columns());
  if (finding > affordable) return {};
  const auto columns = std::make_shared<const ColumnTree>(FindColumnTree(judge.rows(), judge.columns().sizes));
  growth.budget().Use(finding);
  const double work = WorkOfHiddenTree(*columns, judge.rows(), judge.columns().sizes, kOptions);
  std::vector<LatentOptions> models;
  for (std::uint64_t number = 0; number < kTrees; ++number) {
    HiddenTreeModel model{columns, kOptions, work};
    model.options.number = number;
    models.emplace_back(std::move(model));
  }
  if (finding + judge.WorkOfLatents(models) > affordable) return {};
  return models;
}

}  // namespace dtf
