// The likelihood of rows in a mixture of classes, and its gradient. A class has a logit for each category of a column,
// relative to one of the column's categories, its *first*, which has none: ln of their odds. Single precision with a
// fixed sequence of roundings, so that all vector instructions give the same bits.
//
// Lists have an entry for each class, a multiple of kFloatLanes (network_kernels.h), in aligned memory; those of
// several categories stand one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dtf {

// log_probs[c] += ln of the first category's probability in class c. logits: those of a column's other categories.
void AddFirstLogProbs(std::span<const float> logits, std::span<float> log_probs);

// What a row adds: to its logits' gradients, and to the classes' masses, the probability of each class given the row.
// row_logits: where the lists of the row's categories begin in `logits` and `gradient`, but for first categories.
// first_log_probs: ln P of first categories in all columns. scratch: a list.
void AddRow(std::span<const std::uint32_t> row_logits, const float* logits, std::span<const float> first_log_probs,
            float* gradient, std::span<float> masses, std::span<float> scratch);

// What rows have added to the gradient of a column's logits becomes that of −Σ ln P.
void FinishGradient(std::span<const float> logits, std::span<const float> masses, std::span<float> gradient);

}  // namespace dtf
