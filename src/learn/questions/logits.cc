#include "learn/questions/logits.h"

#include <algorithm>
#include <cmath>

#include "base/logarithm.h"

namespace dtf {
namespace {

constexpr double kMostOdds = 32;  // nats

}  // namespace

Logit ToLogit(double nats, double most) {
  return static_cast<Logit>(std::floor(std::clamp(nats, -most, most) / kLogitUnit + 0.5));
}

Logit OddsLogit(double yes, double no) { return ToLogit(Ln(yes / no), kMostOdds); }

}  // namespace dtf
