#include "learn/fit_flow.h"

#include <utility>

#include "base/parallel.h"

namespace dtf {
namespace {

FlowFit Finish(LayersFit fit) {
  const LearningCurvePoint& chosen = fit.curve[fit.flow.layers().size()];
  return {std::make_shared<LayeredFlow>(std::move(fit.flow)),
          *chosen.train_nll,
          chosen.valid_nll,
          std::move(fit.curve),
          {}};
}

FlowFit FitLayered(const WeightedRows& rows, std::optional<WeightedRows> valid, const std::vector<Code>& sizes,
                   const LayerOptions& layers, const FlowOptions& options, const FlowListener& listener) {
  const auto listen = [&](bool refit, std::optional<int> of) {
    return [&listener, refit, of](const LearningCurvePoint& point) {
      listener({.refit = refit, .step = FitStep::kLayer, .point = point, .of = of, .note = {}});
    };
  };
  const std::optional<int> fixed = layers.layers;
  const double fraction = ValidFraction(options);
  if (valid || fraction == 0) return Finish(FitLayers(rows, std::move(valid), sizes, layers, listen(false, fixed)));

  auto [train, held_out] = HoldOut(rows, fraction);
  if (train.codes.rows == 0 || held_out.codes.rows == 0) {  // too few rows to choose by
    return Finish(FitLayers(rows, std::nullopt, sizes, layers, listen(false, fixed)));
  }
  LayersFit chosen = FitLayers(std::move(train), std::move(held_out), sizes, layers, listen(false, fixed));
  if (!options.refit) return Finish(std::move(chosen));
  LayerOptions again = layers;
  again.layers = static_cast<int>(chosen.flow.layers().size());
  FlowFit final = Finish(FitLayers(rows, std::nullopt, sizes, again, listen(true, again.layers)));
  final.valid_nll = chosen.curve[*again.layers].valid_nll;
  final.curve = std::move(chosen.curve);
  return final;
}

}  // namespace

double DefaultValidFraction(const FlowOptions& options) {
  const auto* layers = std::get_if<LayerOptions>(&options.family);
  const bool is_nothing_to_choose = layers != nullptr && layers->layers;
  return is_nothing_to_choose ? 0 : 0.1;
}

double ValidFraction(const FlowOptions& options) {
  return options.valid_fraction.value_or(DefaultValidFraction(options));
}

FlowFit FitFlow(const WeightedRows& rows, std::optional<WeightedRows> valid, const ColumnKinds& columns,
                const FlowOptions& options, const FlowListener& listener) {
  const ThreadTeam team;  // of all that this fit shares out
  if (const auto* layers = std::get_if<LayerOptions>(&options.family)) {
    return FitLayered(rows, std::move(valid), columns.sizes, *layers, options, listener);
  }
  const auto& forest = std::get<ForestOptions>(options.family);
  const HeldOut held_out = {.fraction = ValidFraction(options), .refit = options.refit};
  ForestFit fit = FitForest(rows, valid, columns, held_out, forest, listener);
  return {std::move(fit.flow), fit.train_nll, fit.valid_nll, std::move(fit.curve), std::move(fit.choices)};
}

}  // namespace dtf
