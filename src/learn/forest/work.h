// What it has cost to learn a member, about, in steps of a nanosecond: counted, not timed, so that it is the same on
// any machine.
#pragma once

#include <cstddef>
#include <span>

#include "flow/conditioner.h"
#include "learn/questions/fit_question.h"

namespace dtf {

// A question's trees: for each, a pass over the rows, and counting where it splits; and for each round, drawing tests.
double WorkOfTrees(const Question& question, const Learner& learner, int rounds, std::size_t rows, std::size_t tests);

// A regression: each evaluation passes over the rows and their tests, and what is found is divided by the metric, which
// is made first unless all questions share it. None of no evaluations.
double WorkOfRegression(int evaluations, std::size_t rows, std::size_t tests, bool shares_metric);

// Conditioners by counting.
double WorkOfCounts(std::size_t rows, std::span<const Conditioner> conditioners);

}  // namespace dtf
