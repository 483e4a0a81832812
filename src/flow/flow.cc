#include "flow/flow.h"

#include <numeric>

namespace dtf {

void Flow::Sample(std::uint64_t seed, std::uint64_t first_row, CodeBlock& block) const {
  std::vector<std::uint64_t> numbers(block.rows());
  std::iota(numbers.begin(), numbers.end(), first_row);
  SampleRows(seed, numbers, block);
}

}  // namespace dtf
