// A conditional base for layers of TSPs. Which leaf of the last TSP a row ends in can be told from its latent codes
// (paper, lemma on the recoverability of the tree path), so each leaf may have a distribution of its own:
//   Q(z) = w_l Π_j Q_{l,j}(z_j)   for z in leaf l's domain. The leaves' domains partition the whole, so Q sums to 1.
// Latent codes are those that the layers give; Q only says how likely they are.
//
// Leaves have few rows, so every node starts from its parent's distribution as if it had seen `prior_rows` rows of
// that:
//   Q_{c,j}(a) = (count_{c,j}(a) + prior_rows · P_j(a)) / (n_c + prior_rows)
// with P_j = Q_{N,j} of the parent N. For the split feature s, P_s is Q_{N,s} restricted to the child's domain and
// rescaled; the mass that Q_{N,s} has there is the probability of going to the child. The root has the independent
// base. So with many prior rows the base becomes the independent one; with none, each leaf would have its own
// frequencies.
//
// A value never seen has its column's mass as in the independent base, whatever the leaf; as it goes right at every
// split, its row's other columns keep a distribution that sums to 1.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/ragged.h"
#include "flow/independent_base.h"
#include "perm/domain.h"
#include "tree/code_block.h"
#include "tree/tsp.h"

namespace dtf {

struct CodeCount {
  Code code = 0;
  std::uint64_t count = 0;

  friend bool operator==(const CodeCount&, const CodeCount&) = default;
};

class LeafBase {
 public:
  // `last`: the last layer, of columns with these sizes. counts: of its leaves, by node number, and of each one's
  // columns: the latent codes that occur in the leaf, ascending, each with its count >= 1 in units of `unit` rows (a
  // power of two). A leaf's columns have equal sums. alpha, closed: those of the root's independent base. REQUIRES:
  // prior_rows > 0; n > 0 or alpha > 0.
  LeafBase(const Tsp& last, const std::vector<Code>& sizes, Ragged<CodeCount> counts, double unit, double alpha,
           double prior_rows, bool closed);

  const Ragged<CodeCount>& counts() const { return counts_; }
  double prior_rows() const { return prior_rows_; }
  // The base of the root, which also holds unit, alpha, closed and the mass of unseen values.
  const IndependentBase& root() const { return root_; }

  // Column j's summand of ln Q, in nats, never above 0: ln of the probability of the answers that the row's path got
  // from the column, and of its code in the leaf. `leaf`: the node that the row of `code` (0, …, k_j) ends in. O(depth
  // · ln k).
  double LogProb(std::int32_t leaf, Feature j, Code code) const;

  // Latent codes of the rows with these numbers of the endless sample that `seed` stands for. A row of it depends on
  // seed and number alone. Costs, besides, the size of its domain for each leaf that is met.
  void SampleRows(std::uint64_t seed, std::span<const std::uint64_t> numbers, CodeBlock& block) const;

  // Mean of -ln Q over the rows that were counted. 0 for none.
  double MeanNll() const;

 private:
  // A code's share in ln Q at a node.
  struct Entry {
    Code code = 0;
    double log_prob = 0;
  };
  struct Node {
    std::int32_t parent = -1;
    double log_rest = 0;             // added to the parent's share by codes that the node has not seen
    std::map<Feature, double> mass;  // of each column split on above: the parent's shares of its codes, summed
  };
  struct Leaf {
    std::int32_t node = 0;
    double end = 0;  // where its probability ends when all leaves' are laid side by side
    std::map<Feature, CodeSet> narrowed;
  };
  // Of one leaf and column: the codes that can be, and where each one's share ends.
  struct LeafCodes {
    std::vector<Code> codes;
    std::vector<double> ends;

    Code Draw(double uniform) const;  // by a number in [0, 1)
  };

  LeafBase(const Tsp& last, const std::vector<Code>& sizes, const std::vector<Ragged<CodeCount>>& of_nodes,
           Ragged<CodeCount>&& counts, double unit, double alpha, double prior_rows, bool closed);

  std::size_t columns() const { return root_.columns(); }
  double MassOf(std::int32_t node, Feature j) const;
  void AddEntries(std::int32_t child, const Ragged<CodeCount>& counts);
  void ListLeaves(const Tsp& last, const std::vector<Code>& sizes);
  LeafCodes CodesOf(const Leaf& leaf, Feature j) const;

  Ragged<CodeCount> counts_;
  double prior_rows_;
  IndependentBase root_;
  std::vector<double> seen_mass_;  // of each column: 1 - ε_j
  std::vector<Node> nodes_;
  Ragged<Entry> entries_;     // of each node but the root and each column: the codes that it has seen, ascending
  std::vector<Leaf> leaves_;  // by node number
};

}  // namespace dtf
