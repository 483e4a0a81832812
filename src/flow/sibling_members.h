// Members of a mixture that differ in nothing but their questions' biases, as the classes of a latent class model with
// terms do: what a row's terms sum to is found once for all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "flow/autoregressive_flow.h"
#include "flow/flow.h"

namespace dtf {

class SiblingMembers {
 public:
  // Takes the siblings that stand next to each other in `members`, which must outlive this.
  explicit SiblingMembers(std::span<const std::shared_ptr<const Flow>> members);

  // Positions of those taken, ascending.
  std::vector<std::size_t> positions() const;

  // How many of their parameters another one of them has, too.
  std::uint64_t SharedParameters() const;

  // Their LogProb, bit by bit: of the member at position m and row i at joint[m · block.rows() + i].
  void LogProb(const CodeBlock& block, std::span<double> joint) const;

 private:
  struct Family {
    std::size_t first = 0;  // position of its first member
    std::vector<const AutoregressiveFlow*> members;
  };
  std::vector<Family> families_;
};

}  // namespace dtf
