#include "learn/classes/latent_classes.h"

#include <numeric>
#include <utility>

#include "learn/questions/logits.h"
#include "learn/questions/question_tree.h"

namespace dtf {
namespace {

// The biases of a class whose categories have these shares.
std::vector<Logit> BiasesOf(const std::vector<double>& shares, const std::vector<Question>& questions) {
  std::vector<Logit> biases;
  for (const auto& [yes, no] : AnswersOf(questions, shares)) biases.push_back(OddsLogit(yes, no));
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
