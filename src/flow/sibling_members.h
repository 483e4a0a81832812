// Members of a mixture that differ in nothing but their questions' biases, such as the classes of a latent class model
// with terms: the sums of a row's terms are found once for all of them.
//
// The probability of an answer whose log-odds are f + d, f of the row and d of the member, is 1 / (1 + e^-f e^-d). e^-f
// is found once for each row and e^-d once for each member, so that each row and member takes a product over the
// answers and one logarithm.
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
  // Takes runs of at least kLeastOfFamily siblings without trees that stand next to each other in `members`, which must
  // outlive this.
  static constexpr std::size_t kLeastOfFamily = 8;
  explicit SiblingMembers(std::span<const std::shared_ptr<const Flow>> members);

  // Positions of those taken, ascending.
  std::vector<std::size_t> positions() const;

  // How many of their parameters are repetitions: those that an earlier member of the family has, too.
  std::uint64_t SharedParameters() const;

  // Writes their LogProb, equal but for the last bits: that of the member at position m for row i to
  // joint[m · block.rows() + i].
  void LogProb(const CodeBlock& block, std::span<double> joint) const;

 private:
  // The numbers of an asked question, a list of one for each member: e^-d and e^d, with d the difference of the
  // member's bias from the first one's; none where they are too large.
  struct Odds {
    std::vector<double> if_yes;
    std::vector<double> if_no;
  };
  struct Family {
    std::size_t first = 0;  // position of its first member
    std::vector<const AutoregressiveFlow*> members;
    std::vector<std::vector<Odds>> odds;  // by column, of each asked question
  };
  class Sums;

  static void FindOdds(Family& family);
  static void AddBlock(const Family& family, const CodeBlock& block, Sums& sums);

  std::vector<Family> families_;
};

}  // namespace dtf
