// Trees and terms applied to all rows of a block at once: which rows reach a node is a plane. Sums are whole numbers,
// so neither the vector instructions nor the order matter.
//
// `tests`: plane t says which rows pass test t. Per-row arrays hold 64 values for each word of a plane.
#pragma once

#include <cstdint>
#include <span>

#include "count/planes.h"
#include "tree/logit_tree.h"

namespace dtf {

// leaf_of_row[i] = the leaf that row i reaches. REQUIRES: children come after their parents.
void FindLeaves(const LogitTree& tree, PlaneMatrix tests, std::span<std::int32_t> leaf_of_row);

// Adds to each row's logit the value of its leaf.
void AddLeaves(std::span<const Logit> leaves, std::span<const std::int32_t> leaf_of_row, std::span<Logit> logits);

struct LeafSums {
  std::int64_t gradient = 0;
  std::int64_t hessian = 0;
};

// out[l] = sums over the rows of leaf l.
void SumLeaves(std::span<const std::int32_t> leaf_of_row, std::span<const std::int32_t> gradients,
               std::span<const std::int32_t> hessians, std::span<LeafSums> out);

// FindLeaves and AddLeaves.
void AddTree(const LogitTree& tree, PlaneMatrix tests, std::span<Logit> logits);

// Adds each term to the logits of the rows that pass its test.
void AddTerms(std::span<const LogitTerm> terms, PlaneMatrix tests, std::span<Logit> logits);

}  // namespace dtf
