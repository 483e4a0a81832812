// For tests: rows of a latent class model.
#pragma once

#include <random>
#include <vector>

#include "learn/weighted_rows.h"

namespace dtf {

inline const std::vector<Code> kSizes = {3, 2, 1, 4, 5};

// Rows of two hidden classes, whose cells are the class's own value or, one of five times, any.
inline WeightedRows TwoClasses(std::size_t count, std::mt19937_64& random) {
  WeightedRows rows{CodeTable::WithSizes(count, kSizes), {}, 1};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t hidden = random() % 3 == 0 ? 1 : 0;
    for (std::size_t j = 0; j < kSizes.size(); ++j) {
      const std::size_t code = random() % 5 == 0 ? random() : hidden;
      rows.codes.columns[j].Set(i, static_cast<Code>(code % kSizes[j]));
    }
  }
  return rows;
}

}  // namespace dtf
