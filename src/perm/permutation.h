// A permutation of a set of codes, kept as what differs from code order: `top` lists, by rank, the codes that are
// mapped to the highest codes of the set; all others keep their order below them. A permutation that sorts codes by
// count (paper section 3.2) is as small as the number of codes that were seen, however many there are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perm/domain.h"

namespace dtf {

class Permutation {
 public:
  Permutation() = default;  // the identity

  // `top`: distinct codes of the set this permutation will be used with; the last one becomes its highest code.
  explicit Permutation(std::span<const Code> top);

  // The permutation that maps the code sources[r] to the r-th code of the set, sources being all its codes.
  // With the shortest possible top.
  static Permutation FromOrder(const CodeSet& set, std::span<const Code> sources);

  // Sorts by count, least first; equal counts keep the order of their codes. counts[i] belongs to set.At(i).
  static Permutation Sorting(const CodeSet& set, std::span<const std::uint64_t> counts);

  // All codes of `set` in the order of their images, lowest first. O(k). The second form is for a permutation given by
  // its top, and reuses the vector.
  std::vector<Code> Sources(const CodeSet& set) const;
  static void Sources(const CodeSet& set, std::span<const Code> top, std::vector<Code>& sources);

  bool is_identity() const { return top_.empty(); }
  std::span<const Code> top() const { return top_; }

  // Both map a code of `set` to a code of `set`, in O(log k). REQUIRES: set.Contains(code).
  Code Apply(const CodeSet& set, Code code) const;
  Code Invert(const CodeSet& set, Code image) const;

 private:
  std::vector<Code> top_;      // by rank
  std::vector<Code> sorted_;   // the same codes, ascending
  std::vector<Code> rank_of_;  // rank in top_ of each of sorted_
};

}  // namespace dtf
