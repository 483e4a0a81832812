// The hot loop of scoring and sampling forests: pieces of trees (tree_pieces.h) summed over blocks of rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "count/planes.h"
#include "count/tree_pieces.h"

namespace dtf {

// Planes must be readable in whole vectors of the largest kind.
inline constexpr std::size_t kPackedWords = 8;

// logits[i] = `bias` + the sum for each row i of `mask`; the logits of other rows are garbage. mask: `words` words, a
// multiple of kPackedWords; from the beginning of each plane of `tests` as many words must be readable. roots: scratch
// of kPackedWords words for each of pieces.most_pieces, aligned as a vector. logits: 64 for each word.
void SumPieces(const TreePieces& pieces, Logit bias, PlaneMatrix tests, const std::uint64_t* mask, std::size_t words,
               std::uint64_t* roots, Logit* logits);

}  // namespace dtf
