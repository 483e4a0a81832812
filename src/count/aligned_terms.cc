#include "count/aligned_terms.h"

#include <algorithm>
#include <vector>

namespace dtf {

void AlignedTerms(const BlockCounts& block, Feature j, std::span<const Count> node, std::span<const Count> beside,
                  std::span<const double> values, std::span<double> terms) {
  const std::size_t present = node.size();
  std::vector<Count> left(present);
  std::vector<Count> right(present);
  for (std::size_t c = 0; c < block.width(); ++c) {
    for (std::size_t i = 0; i < present; ++i) {
      left[i] = block.Row(j, i)[c];
      right[i] = node[i] - left[i];
    }
    std::sort(left.begin(), left.end());
    std::sort(right.begin(), right.end());
    double term = 0;
    for (std::size_t r = 0; r < present; ++r) term += values[beside[r] + left[r] + right[r]];
    terms[c] = term;
  }
}

}  // namespace dtf
