#include "learn/classes/latent_classes.h"

#include <numeric>
#include <utility>

#include "learn/questions/logits.h"

namespace dtf {
namespace {

// The biases of a class whose categories have these shares.
std::vector<Logit> BiasesOf(const std::vector<double>& shares, const std::vector<Question>& questions) {
  std::vector<Logit> biases(questions.size());
  std::vector<double> below(questions.size());  // the share of the categories below each, later questions first
  const auto share_of = [&](std::int32_t child) {
    return child < 0 ? shares[static_cast<std::size_t>(-1 - child)] : below[static_cast<std::size_t>(child)];
  };
  for (std::size_t q = questions.size(); q-- > 0;) {
    const double yes = share_of(questions[q].yes);
    const double no = share_of(questions[q].no);
    biases[q] = OddsLogit(yes, no);
    below[q] = yes + no;
  }
  return biases;
}

ClassFit FlowsOf(const std::vector<LatentClass>& classes, std::span<const std::vector<Question>> questions) {
  ClassFit fit;
  fit.order.resize(questions.size());
  std::iota(fit.order.begin(), fit.order.end(), Feature{0});
  for (const auto& of_column : questions) fit.conditioners.push_back({of_column});
  for (const LatentClass& one : classes) {
    auto& flow = fit.classes.emplace_back();
    flow.weight = one.weight;
    for (std::size_t j = 0; j < questions.size(); ++j) flow.biases.push_back(BiasesOf(one.shares[j], questions[j]));
  }
  return fit;
}

}  // namespace

ClassFit FitClasses(const WeightedRows& rows, std::span<const Code> sizes,
                    std::span<const std::vector<Question>> questions, const ClassOptions& options, std::uint64_t seed) {
  if (const auto* few = std::get_if<FewClassOptions>(&options)) {
    return FlowsOf(FitFewClasses(rows, sizes, *few, seed), questions);
  }
  if (const auto* smooth = std::get_if<SmoothClassOptions>(&options)) {
    return FlowsOf(FitSmoothClasses(rows, sizes, *smooth, seed), questions);
  }
  return FitTermClasses(rows, sizes, questions, std::get<TermClassOptions>(options), seed);
}

double WorkOfClasses(const WeightedRows& rows, std::span<const Code> sizes,
                     std::span<const std::vector<Question>> questions, const ClassOptions& options) {
  if (const auto* few = std::get_if<FewClassOptions>(&options)) return WorkOfFewClasses(rows, *few);
  if (const auto* smooth = std::get_if<SmoothClassOptions>(&options)) return WorkOfSmoothClasses(rows, sizes, *smooth);
  return WorkOfTermClasses(rows, questions, std::get<TermClassOptions>(options));
}

}  // namespace dtf
