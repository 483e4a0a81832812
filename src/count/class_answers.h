// The likelihood of rows in a mixture of equally likely classes, and its gradient. A row answers yes/no questions. For
// each question every class has a logit, and each row a shift that is added to the logits of all classes. Single
// precision with a fixed sequence of roundings, so that all vector instructions give the same bits.
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

// odds[i] = e^numbers[i], with numbers first brought into [-40, 40]. Sizes: a multiple of kFloatLanes.
void FindOdds(std::span<const float> numbers, std::span<float> odds);

struct ClassLogits {
  std::span<const float> logits;
  std::span<const float> odds;  // FindOdds of the logits
  std::size_t classes = 0;
};

// Adds a row's part to the gradient of −Σ ln P with respect to the logits. The gradient with respect to the row's
// shifts goes to to_shifts[i] for answers[i]. shift_odds: FindOdds of the shifts, by question. A sum of logit and shift
// counts as at most 20. scratch: room for answers.size() + 1 lists.
void AddAnswers(std::span<const RowAnswer> answers, const ClassLogits& classes, std::span<const float> shift_odds,
                std::span<float> scratch, std::span<float> gradient, std::span<float> to_shifts);

}  // namespace dtf
