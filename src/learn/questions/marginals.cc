#include "learn/questions/marginals.h"

#include "base/exponential.h"
#include "base/log_gamma.h"
#include "base/logarithm.h"
#include "learn/questions/logits.h"

namespace dtf {

double LnEvidence(double yes, double no) {
  static const double kLnPi = Ln(3.14159265358979323846);
  return LnGamma(yes + 0.5) + LnGamma(no + 0.5) - LnGamma(yes + no + 1) - kLnPi;
}

std::vector<Logit> MarginalLogits(std::span<const Question> questions, const QuestionRanges& ranges,
                                  std::span<const double> before) {
  const auto categories = static_cast<double>(before.size() - 1);
  const auto yes = [&](std::size_t q) { return before[ranges.middle[q]] - before[ranges.first[q]]; };
  const auto no = [&](std::size_t q) { return before[ranges.last[q]] - before[ranges.middle[q]]; };
  double estimated = 0;
  for (std::size_t q = 0; q < questions.size(); ++q) estimated += LnEvidence(yes(q), no(q));
  const double even = -before.back() * Ln(categories);
  const double even_share = 1 / (1 + Exp(estimated - even));

  std::vector<Logit> logits;
  std::vector<double> reached(questions.size(), 1);  // by the estimates: the probability of getting to the question
  for (std::size_t q = 0; q < questions.size(); ++q) {
    const double estimate = (yes(q) + 0.5) / (yes(q) + no(q) + 1);
    const double estimated_yes = reached[q] * estimate;
    const double estimated_no = reached[q] * (1 - estimate);
    if (questions[q].yes >= 0) reached[static_cast<std::size_t>(questions[q].yes)] = estimated_yes;
    if (questions[q].no >= 0) reached[static_cast<std::size_t>(questions[q].no)] = estimated_no;
    const double even_yes = (ranges.middle[q] - ranges.first[q]) / categories;
    const double even_no = (ranges.last[q] - ranges.middle[q]) / categories;
    logits.push_back(OddsLogit(even_share * even_yes + (1 - even_share) * estimated_yes,
                               even_share * even_no + (1 - even_share) * estimated_no));
  }
  return logits;
}

}  // namespace dtf
