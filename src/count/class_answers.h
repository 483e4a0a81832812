// The likelihood of rows in a mixture of equally likely classes, and its gradient. A row answers yes/no questions; of
// each one every class has a logit, and the row a shift, which is added to all of them. Single precision with a fixed
// sequence of roundings, so that all vector instructions give the same bits.
//
// A question's list has an entry for each class, a multiple of kFloatLanes (network_kernels.h), in aligned memory;
// lists of several questions stand one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dtf {

struct RowAnswer {
  std::uint32_t question = 0;
  bool yes = false;
};

// e^number; numbers beyond 40 in size count as that. Sizes: a multiple of kFloatLanes.
void FindOdds(std::span<const float> numbers, std::span<float> odds);

struct ClassLogits {
  std::span<const float> logits;
  std::span<const float> odds;  // of these
  std::size_t classes = 0;
};

// Adds what a row with these answers says to the gradient of −Σ ln P by the logits; that by the row's shifts goes to
// to_shifts[i] for answers[i]. shift_odds: by question, of the shifts. A sum of logit and shift counts as at most 20.
// scratch: answers.size() + 1 lists.
void AddAnswers(std::span<const RowAnswer> answers, const ClassLogits& classes, std::span<const float> shift_odds,
                std::span<float> scratch, std::span<float> gradient, std::span<float> to_shifts);

}  // namespace dtf
