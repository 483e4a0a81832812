#include "learn/classes/latent_classes.h"

#include <utility>

#include "learn/questions/logits.h"

namespace dtf {

std::vector<LatentClass> FitClasses(const WeightedRows& rows, std::span<const Code> sizes, const ClassOptions& options,
                                    std::uint64_t seed) {
  if (const auto* few = std::get_if<FewClassOptions>(&options)) return FitFewClasses(rows, sizes, *few, seed);
  return FitSmoothClasses(rows, sizes, std::get<SmoothClassOptions>(options), seed);
}

double WorkOfClasses(const WeightedRows& rows, std::span<const Code> sizes, const ClassOptions& options) {
  if (const auto* few = std::get_if<FewClassOptions>(&options)) return WorkOfFewClasses(rows, *few);
  return WorkOfSmoothClasses(rows, sizes, std::get<SmoothClassOptions>(options));
}

std::vector<Conditioner> ConditionersOf(const LatentClass& one,
                                        std::span<const std::vector<Question>> questions_of_columns) {
  std::vector<Conditioner> conditioners;
  for (std::size_t j = 0; j < one.shares.size(); ++j) {
    std::vector<Question> questions = questions_of_columns[j];
    std::vector<double> below(questions.size());  // the share of the categories below each, later questions first
    const auto share_of = [&](std::int32_t child) {
      return child < 0 ? one.shares[j][static_cast<std::size_t>(-1 - child)] : below[static_cast<std::size_t>(child)];
    };
    for (std::size_t q = questions.size(); q-- > 0;) {
      const double yes = share_of(questions[q].yes);
      const double no = share_of(questions[q].no);
      questions[q].bias = OddsLogit(yes, no);
      below[q] = yes + no;
    }
    conditioners.push_back({std::move(questions)});
  }
  return conditioners;
}

}  // namespace dtf
