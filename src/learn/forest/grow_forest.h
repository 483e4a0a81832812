// Which members a forest gets: kinds are tried, and more of those that proved good are learnt while the work is within
// bounds.
#pragma once

#include <string>
#include <vector>

#include "dtf/model.h"
#include "learn/forest/budget.h"
#include "learn/forest/forest_options.h"
#include "learn/forest/judge.h"
#include "learn/progress.h"

namespace dtf {

// Steps of expectation maximisation for weights of members.
inline constexpr int kWeightSteps = 100;

struct GrownForest {
  std::vector<JudgedMember> members;
  std::vector<JudgedLatent> latents;
  std::vector<LearningCurvePoint> curve;  // `layers`: members so far
  std::vector<std::string> choices;       // a line each
};

// A number for each member; members of the same number get the same weight: those of a kind whose orders are drawn, or
// are the same. Each network's members have numbers of their own.
std::vector<std::size_t> GroupsOf(const std::vector<JudgedMember>& members);

// rows: distinct, those that `judge` learns from. budget: no work has been used of it, but its clock is running.
// `listener` is called for each member and phase.
GrownForest GrowForest(const WeightedRows& rows, const Judge& judge, const ForestOptions& options, const Budget& budget,
                       const FlowListener& listener);

}  // namespace dtf
