// A latent class model (Lazarsfeld & Henry, Latent Structure Analysis, 1968): the columns are independent within each
// of some classes, and a row's class is not known. As a flow: a mixture with a member for each class.
//
// Here classes are points of a space of few dimensions, spread evenly in it, and the shares of categories are a smooth
// function of the point, which is learnt: so a few rows are enough for hundreds of classes (continuous mixtures:
// Correia, Gala, Quaeghebeur, de Campos & Peharz, AAAI 2023).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "flow/conditioner.h"
#include "learn/weighted_rows.h"

namespace dtf {

// By column: of each category, positive, summing to 1.
using LatentClass = std::vector<std::vector<double>>;

struct ClassOptions {
  std::size_t classes = 128;  // a multiple of kFloatLanes
  double passes = 80;         // over the rows
  double decay = 1;           // of the function's weights, as a multiple of the rate: the more, the smoother it is
  std::uint64_t number = 0;   // of several models of the same rows: they begin differently
};

// Equally likely classes. The same bits on any machine.
std::vector<LatentClass> FitClasses(const WeightedRows& rows, std::span<const Code> sizes, const ClassOptions& options,
                                    std::uint64_t seed);

// What that costs, in the unit of MemberFit::work.
double WorkOfClasses(const WeightedRows& rows, std::span<const Code> sizes, const ClassOptions& options);

// The conditioners of a class, by column: the questions of its categories, none of which looks at another column.
std::vector<Conditioner> ConditionersOf(const LatentClass& one, std::span<const std::vector<Question>> questions);

}  // namespace dtf
