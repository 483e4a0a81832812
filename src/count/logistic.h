// What boosting needs of every row each round: gradient and Hessian of the log-loss of a yes/no question, as whole
// numbers, and as bit planes of few bits that CountPlanes sums. Single precision with a fixed sequence of roundings, so
// that all vector instructions give the same bits.
//
// `logits`, `weights` and the outputs hold 64 values for each word of a plane. `yes`: the rows whose answer is yes.
#pragma once

#include <cstdint>
#include <span>

#include "count/planes.h"
#include "tree/logit_tree.h"

namespace dtf {

// 2^kDerivativeBits stands for the largest weight.
inline constexpr int kDerivativeBits = 21;

struct Derivatives {
  std::span<std::int32_t> gradients;  // of the log-likelihood: weight · (answer − p), in −2^21 … 2^21
  std::span<std::int32_t> hessians;   // weight · p (1 − p), in 0 … 2^21
};

// The largest sizes of gradient and Hessian, at least 1.
struct DerivativeBounds {
  std::int32_t gradient = 1;
  std::int32_t hessian = 1;
};

// `weights`: 0 … 1, shares of the largest weight; rows that do not exist have weight 0. Empty: each existing row 1, the
// first `rows` exist.
DerivativeBounds FindDerivatives(std::span<const Logit> logits, const std::uint64_t* yes,
                                 std::span<const float> weights, std::size_t rows, Derivatives out);

// How many bits a quantised gradient (two's complement) and a quantised Hessian have.
struct QuantisedBits {
  int gradient = 5;
  int hessian = 3;

  int planes() const { return gradient + hessian; }
};

// Writes the gradients' planes, then the Hessians', least bit first. Values are scaled such that the bounds become the
// largest numbers of so many bits, and rounded up or down at random (by `seed` and the row), without bias. planes: room
// for bits.planes() × words. REQUIRES: 2 to 24 bits each.
void QuantiseDerivatives(std::span<const std::int32_t> gradients, std::span<const std::int32_t> hessians,
                         DerivativeBounds bounds, QuantisedBits bits, std::uint32_t seed, std::uint64_t* planes,
                         std::size_t words);

// losses[i] = −ln of the probability of row i's answer, in units of 2^-20 nats. Rows that do not exist get any number.
void FindLosses(std::span<const Logit> logits, const std::uint64_t* yes, std::span<std::int32_t> losses);

}  // namespace dtf
