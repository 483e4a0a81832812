#include "learn/questions/marginals.h"

#include "base/exponential.h"
#include "base/log_gamma.h"
#include "base/logarithm.h"
#include "learn/questions/logits.h"

namespace dtf {
namespace {

constexpr double kCategoryPrior = 0.5;

// ln of the beta function.
double LnBeta(double a, double b) { return LnGamma(a) + LnGamma(b) - LnGamma(a + b); }

}  // namespace

double LnEvidence(double yes, double no, double yes_prior, double no_prior) {
  return LnBeta(yes + yes_prior, no + no_prior) - LnBeta(yes_prior, no_prior);
}

double LnEvidence(double yes, double no) {
  static const double kLnPi = Ln(3.14159265358979323846);
  return LnBeta(yes + 0.5, no + 0.5) - kLnPi;
}

Logit MarginalLogit(const AnswerCount& yes, const AnswerCount& no) {
  const double yes_prior = kCategoryPrior * yes.categories;
  const double no_prior = kCategoryPrior * no.categories;
  const double even = yes_prior / (yes_prior + no_prior);
  const double ln_even = yes.rows * Ln(even) + no.rows * Ln(1 - even);
  const double ln_estimated = LnEvidence(yes.rows, no.rows, yes_prior, no_prior);
  const double weight = 1 / (1 + Exp(ln_estimated - ln_even));  // that all are equally likely
  const double estimate = (yes.rows + yes_prior) / (yes.rows + no.rows + yes_prior + no_prior);
  const double share = weight * even + (1 - weight) * estimate;
  return OddsLogit(share, 1 - share);
}

}  // namespace dtf
