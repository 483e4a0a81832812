#include "learn/forest/try_hidden_trees.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <string>

namespace dtf {
namespace {

// They differ in where they begin, and err differently: four gain half as much again as one, eight little more.
constexpr std::uint64_t kTrees = 4;
constexpr HiddenTreeOptions kOptions = {.states = 32, .passes = 20, .prior_rows = 0.3};
// All of them may take so much of the work that the members took; one thread learns a tree: half a minute at most.
constexpr double kMostShare = 0.3;
constexpr double kMostWork = 1e11;
// In the mixture: below, the others would bring nothing.
constexpr double kWorthMore = 0.05;
// The states of a column times all categories, which a row is scored by.
constexpr std::size_t kMostCategories = 2048;

}  // namespace

bool WantsHiddenTrees(const Growth& growth) {
  std::size_t categories = 0;
  for (const Code size : growth.judge().columns().sizes) categories += size;
  return growth.is_free() && growth.judge().has_rows() && !growth.judge().cross_validates() &&
         growth.options().conditional_base && growth.columns() > 1 && categories <= kMostCategories;
}

std::vector<JudgedLatent> TryHiddenTrees(Growth& growth, const std::function<double(const JudgedLatent&)>& weigh) {
  const Judge& judge = growth.judge();
  const double affordable = std::min(kMostWork, kMostShare * growth.budget().used());
  const double finding = WorkOfColumnTree(growth.rows(), growth.columns());
  if (finding > affordable) return {};
  const auto columns = std::make_shared<const ColumnTree>(FindColumnTree(judge.rows(), judge.columns().sizes));
  growth.budget().Use(finding);
  std::vector<LatentOptions> models;
  for (std::uint64_t number = 0; number < kTrees; ++number) {
    models.push_back(HiddenTreeModel{columns, kOptions});
    std::get<HiddenTreeModel>(models.back()).options.number = number;
  }
  const double work = judge.WorkOfLatents(models);
  if (finding + work > affordable) return {};
  const auto first = std::span<const LatentOptions>(models).first(1);
  std::vector<JudgedLatent> trees = judge.LearnLatents(first, growth.options().seed);
  growth.budget().Use(work / kTrees);
  const double weight = weigh(trees[0]);
  growth.Say("a tree of hidden states: " + Fixed(-growth.MeanOf(trees[0].scores)) +
             " nats per row; its weight beside the members: " + Fixed(weight));
  if (weight < kWorthMore) return {};
  std::ranges::move(judge.LearnLatents(std::span<const LatentOptions>(models).subspan(1), growth.options().seed),
                    std::back_inserter(trees));
  growth.budget().Use(work - work / kTrees);
  return trees;
}

}  // namespace dtf
