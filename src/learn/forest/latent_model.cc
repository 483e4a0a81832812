#include "learn/forest/latent_model.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "flow/hidden_tree_flow.h"

namespace dtf {

std::shared_ptr<const MixtureFlow> FitClassFlow(const ColumnQuestions& columns, const WeightedRows& rows,
                                                const ClassOptions& options, std::uint64_t seed,
                                                const ConditionalBase& base) {
  const ClassFit fit = FitClasses(rows, columns.sizes, columns.questions, options, seed);
  std::vector<std::shared_ptr<const Flow>> flows;
  std::vector<double> weights;
  const AutoregressiveFlow of_no_class(columns.sizes, fit.order, fit.tests, fit.conditioners, base);
  for (const ClassFit::Class& one : fit.classes) {
    flows.push_back(std::make_shared<AutoregressiveFlow>(of_no_class, one.biases));
    weights.push_back(one.weight);
  }
  return std::make_shared<MixtureFlow>(std::move(flows), std::move(weights));
}

double WorkOfLatent(const ColumnQuestions& columns, const WeightedRows& rows, const LatentOptions& options) {
  if (const auto* classes = std::get_if<ClassOptions>(&options)) {
    return WorkOfClasses(rows, columns.sizes, columns.questions, *classes);
  }
  return std::get<HiddenTreeModel>(options).work;
}

std::vector<std::size_t> DearestFirst(const ColumnQuestions& columns, const WeightedRows& rows,
                                      std::span<const LatentOptions> models) {
  std::vector<double> work;
  for (const LatentOptions& model : models) work.push_back(WorkOfLatent(columns, rows, model));
  std::vector<std::size_t> order(models.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return work[i]; });
  return order;
}

std::shared_ptr<const Flow> FitLatentFlow(const ColumnQuestions& columns, const WeightedRows& rows,
                                          const LatentOptions& options, std::uint64_t seed,
                                          const ConditionalBase& base) {
  if (const auto* classes = std::get_if<ClassOptions>(&options)) {
    return FitClassFlow(columns, rows, *classes, seed, base);
  }
  const auto& hidden = std::get<HiddenTreeModel>(options);
  HiddenTree tree = FitHiddenTree(*hidden.columns, rows, columns.sizes, hidden.options, seed);
  return std::make_shared<HiddenTreeFlow>(columns.sizes, std::move(tree), base);
}

}  // namespace dtf
