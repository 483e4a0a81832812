// Members of a mixture whose columns are independent, such as the classes of latent class models. There are many of
// them, so a row's scores are looked up for all of them side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "flow/flow.h"

namespace dtf {

class FixedMembers {
 public:
  // Takes those of `members` that are fixed; none, if their tables would be too large.
  explicit FixedMembers(std::span<const std::shared_ptr<const Flow>> members);

  // Positions of those taken, ascending.
  const std::vector<std::size_t>& positions() const { return positions_; }

  // Writes their LogProb, with the same bits: that of the member at position m for row i to
  // joint[m · block.rows() + i].
  void LogProb(const CodeBlock& block, std::span<double> joint) const;

 private:
  std::vector<std::size_t> positions_;
  std::size_t stride_ = 0;               // members, padded
  std::vector<std::size_t> first_line_;  // by column: that of its code 0
  std::vector<double> scores_;           // of each code of each column a line: for each member ln P
};

}  // namespace dtf
