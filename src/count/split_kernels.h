// The operations that growing a tree for a yes/no question needs at each node: which rows pass a test, sums of two
// whole numbers over the rows that pass each test, and the best split by Newton's gain.
//
// Sums are whole numbers. Gains are in single precision with a fixed sequence of roundings. So all vector instructions
// give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "count/aligned_buffer.h"
#include "count/planes.h"

namespace dtf {

// The numbers to be summed, as planes over the rows, one after the other: `first_bits` planes of the first number,
// least bit first, then `second_bits` of the second. The first number is in two's complement if `first_is_signed`.
struct SummedPlanes {
  const std::uint64_t* first_plane = nullptr;
  std::size_t words = 0;
  int first_bits = 1;
  int second_bits = 1;
  bool first_is_signed = false;

  std::size_t planes() const { return static_cast<std::size_t>(first_bits + second_bits); }
};

// passing = rows & item `item` of `tests`; returns how many rows that are. `rows`, `passing`: tests.words() words.
std::size_t FindPassing(const PlanePanels& tests, std::size_t item, const std::uint64_t* rows, std::uint64_t* passing);

// first[t], second[t] = the sums over the rows that pass item t of `tests`. Room for tests.panels() · 16 numbers each.
// REQUIRES: tests.bits() == 1, at most 64 planes.
void SumPassing(const PlanePanels& tests, const SummedPlanes& planes, std::int32_t* first, std::int32_t* second,
                AlignedBuffer<Count>& scratch);

// Units of the sums of gradients and Hessians, and what a split needs (learn/questions/newton_rule.h).
struct NewtonTerms {
  float gradient_unit = 1;
  float hessian_unit = 1;
  float lambda = 1;
  float min_hessian = 0;
  float min_gain = 0;
};

struct SplitChoice {
  std::size_t test = 0;
  float gain = 0;  // 0: no split is worth making
};

// The first of the tests with the largest gain above 0. `gradient`, `hessian`: the node's sums; gradients[t],
// hessians[t]: those of the rows that pass test t.
SplitChoice FindBestNewtonSplit(const NewtonTerms& terms, std::int32_t gradient, std::int32_t hessian,
                                std::span<const std::int32_t> gradients, std::span<const std::int32_t> hessians);

}  // namespace dtf
