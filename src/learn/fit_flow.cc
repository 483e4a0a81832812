#include "learn/fit_flow.h"

#include <utility>

namespace dtf {
namespace {

constexpr double kDefaultValidFraction = 0.1;

FlowFit Finish(LayersFit fit) {
  const LearningCurvePoint& chosen = fit.curve[fit.flow.layers().size()];
  return {std::move(fit.flow), chosen.train_nll, chosen.valid_nll, std::move(fit.curve)};
}

}  // namespace

FlowFit FitFlow(const WeightedRows& rows, std::optional<WeightedRows> valid, const std::vector<Code>& sizes,
                const FlowOptions& options, const FlowListener& listener) {
  const auto listen = [&](bool refit, std::optional<int> layers) {
    return [&listener, refit, layers](const LearningCurvePoint& point) { listener(refit, point, layers); };
  };
  const std::optional<int> fixed = options.layers.layers;
  const double fraction = options.valid_fraction.value_or(fixed ? 0 : kDefaultValidFraction);
  if (valid || fraction == 0)
    return Finish(FitLayers(rows, std::move(valid), sizes, options.layers, listen(false, fixed)));

  auto [train, held_out] = HoldOut(rows, fraction);
  if (train.codes.rows == 0 || held_out.codes.rows == 0) {  // too few rows to choose by
    return Finish(FitLayers(rows, std::nullopt, sizes, options.layers, listen(false, fixed)));
  }
  FlowFit chosen =
      Finish(FitLayers(std::move(train), std::move(held_out), sizes, options.layers, listen(false, fixed)));
  if (!options.refit) return chosen;
  LayerOptions again = options.layers;
  again.layers = static_cast<int>(chosen.flow.layers().size());
  LayersFit final = FitLayers(rows, std::nullopt, sizes, again, listen(true, again.layers));
  const double train_nll = final.curve.back().train_nll;
  return {std::move(final.flow), train_nll, chosen.valid_nll, std::move(chosen.curve)};
}

}  // namespace dtf
