// A latent class model (Lazarsfeld & Henry, Latent Structure Analysis, 1968): a row's class is not known, and within a
// class the columns are independent, or depend on each other by terms that all classes share. As a flow, it is a
// mixture with a member for each class.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "flow/conditioner.h"
#include "learn/classes/class_fit.h"
#include "learn/classes/few_classes.h"
#include "learn/classes/smooth_classes.h"
#include "learn/classes/term_classes.h"
#include "learn/weighted_rows.h"

namespace dtf {

using ClassOptions = std::variant<FewClassOptions, SmoothClassOptions, TermClassOptions>;

// The same bits on any machine. questions: of each column, nothing learnt yet.
ClassFit FitClasses(const WeightedRows& rows, std::span<const Code> sizes,
                    std::span<const std::vector<Question>> questions, const ClassOptions& options, std::uint64_t seed);

// The work of FitClasses, in the unit of MemberFit::work.
double WorkOfClasses(const WeightedRows& rows, std::span<const Code> sizes,
                     std::span<const std::vector<Question>> questions, const ClassOptions& options);

}  // namespace dtf
