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
  std::vector<JudgedClasses> classes;
  std::vector<LearningCurvePoint> curve;  // `layers`: members so far
  std::vector<std::string> choices;       // a line each
};

// Members whose weights are to be equal have the same number: those of a kind that differ by orders drawn, or by
// nothing but chance. Each network is on its own.
std::vector<std::size_t> GroupsOf(const std::vector<JudgedMember>& members);

// rows: distinct; those that `judge` learns from. `budget`: of which nothing is used, but time. Tells `listener` of
// each member.
GrownForest GrowForest(const WeightedRows& rows, const Judge& judge, const ForestOptions& options, const Budget& budget,
                       const FlowListener& listener);

}  // namespace dtf
