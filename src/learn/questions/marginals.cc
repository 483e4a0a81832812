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

Logit MarginalLogit(double yes, double no, double even_share) {
  const double ln_even = yes * Ln(even_share) + no * Ln(1 - even_share);
  const double weight = 1 / (1 + Exp(LnEvidence(yes, no) - ln_even));  // that all are equally likely
  const double estimate = (yes + 0.5) / (yes + no + 1);
  const double share = weight * even_share + (1 - weight) * estimate;
  return OddsLogit(share, 1 - share);
}

}  // namespace dtf
