// The options of a forest.
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
  std::optional<int> members;        // none: as many as the budget allows, kMostMembers at most
  std::optional<double> seconds;     // no member is begun that is expected to take the forest beyond this time
  bool conditional_base = true;
  double alpha = 0.5;  // of the unseen slots, and of an independent base
  bool closed = false;
  std::uint64_t seed = 0;
  int threads = 1;
};

}  // namespace dtf
