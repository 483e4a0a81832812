#include "flow/hidden_tree.h"

#include <algorithm>
#include <cmath>

#include "base/exponential.h"
#include "base/logarithm.h"

namespace dtf {
namespace {

constexpr double kLn2 = 0x1.62e42fefa39efp-1;
constexpr double kNatsOfOne = kLn2 / 512;

}  // namespace

LogShare ToLogShare(double share) {
  return static_cast<LogShare>(
      std::clamp(std::floor(-Ln(share) / kNatsOfOne + 0.5), 0.0, static_cast<double>(kMostLogShare)));
}

double FromLogShare(LogShare share) { return Exp(-kNatsOfOne * share); }

}  // namespace dtf
