// What a forest shall be like.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dtf/table.h"
#include "perm/domain.h"

namespace dtf {

enum class ConditionerKind { kAuto, kTree, kLinear, kBoosted };
enum class OrderKind { kAuto, kNatural, kRandom, kGiven };

struct ForestOptions {
  ConditionerKind conditioner = ConditionerKind::kAuto;
  OrderKind order = OrderKind::kAuto;
  std::vector<Feature> given_order;  // of kGiven
  std::optional<int> members;        // none: as many as bring something, within the budget
  std::optional<double> seconds;     // no member is begun that would take the fit beyond
  bool conditional_base = true;
  double alpha = 0.5;  // of the unseen slots, and of an independent base
  bool closed = false;
  std::uint64_t seed = 0;
  int threads = 1;
};

}  // namespace dtf
