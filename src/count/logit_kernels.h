// Trees and terms applied to all rows of a block at once: which rows reach a node is a plane, and a leaf's value is
// added under its plane. Sums are whole numbers, so neither the vector instructions nor the order matter.
//
// `tests`: plane t says which rows pass test t; bits of rows that do not exist are 0. `mask`: the rows that take part,
// tests.words words; null: all, those that do not exist too. Per-row arrays hold 64 values for each word of a plane.
#pragma once

#include <cstdint>
#include <span>

#include "count/planes.h"
#include "tree/logit_tree.h"

namespace dtf {

// Adds to each row's logit the value of the leaf it reaches. REQUIRES: children come after their parents.
void AddTree(const LogitTree& tree, PlaneMatrix tests, const std::uint64_t* mask, std::span<Logit> logits);

// Adds each term to the logits of the rows that pass its test.
void AddTerms(std::span<const LogitTerm> terms, PlaneMatrix tests, const std::uint64_t* mask, std::span<Logit> logits);

struct LeafSums {
  std::int64_t gradient = 0;
  std::int64_t hessian = 0;
};

// out[l] = sums over the rows that reach leaf l. REQUIRES: values of at most 2^21 in size.
void SumLeaves(const LogitTree& tree, PlaneMatrix tests, const std::uint64_t* mask,
               std::span<const std::int32_t> gradients, std::span<const std::int32_t> hessians,
               std::span<LeafSums> out);

}  // namespace dtf
