// The likelihood of rows in a mixture of classes, and its gradient. A class has a logit for each category of a column
// but one, the column's *first* category: ln of the category's probability over that of the first one. Single precision
// with a fixed sequence of roundings, so that all vector instructions give the same bits.
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

// Adds a row: the probability of each class given the row, to the classes' `masses` and to the gradients of the row's
// logits. row_logits: where the lists of the row's categories, first ones left out, begin in `logits` and `gradient`.
// first_log_probs: by class, ln P of the first categories of all columns. scratch: room for a list.
void AddRow(std::span<const std::uint32_t> row_logits, const float* logits, std::span<const float> first_log_probs,
            float* gradient, std::span<float> masses, std::span<float> scratch);

// Turns what AddRow has added for a column's logits into the gradient of −Σ ln P with respect to them.
void FinishGradient(std::span<const float> logits, std::span<const float> masses, std::span<float> gradient);

}  // namespace dtf
