// The oracle: "Discrete Tree Flows via Tree-Structured Permutations" (Elkady, Lim, Inouye; ICML 2022) written down
// densely, slowly and in the paper's order, for the tests to compare the fast engine with. It uses nothing of the
// engine.
//
// Vocabulary
//   row       d codes; the code x_j of feature j lies in {0 ... sizes[j]-1}.
//   rows      n x d, row-major.
//   sets      per feature a sorted list of codes; the product of the lists is a set of configurations ("domain").
//   maps      per feature a table old code -> new code, sizes[j] long, -1 outside the domain of the map: an independent
//             permutation (or, in hand-made trees, any independent one-to-one map).
//   raw       as the rows come in: the tree as it was grown, every node permutation the identity.
//   new       the equivalent tree after the two passes.
// All likelihoods are in nats. f(c) = c ln c, f(0) = 0. Nothing here checks its input beyond what vectors' at() does.
#ifndef DTF_TESTS_ORACLE_ORACLE_H_
#define DTF_TESTS_ORACLE_ORACLE_H_

#include <functional>
#include <utility>
#include <vector>

namespace dtf::oracle {

using Row = std::vector<int>;
using Rows = std::vector<Row>;
using Sizes = std::vector<int>;
using Sets = std::vector<std::vector<int>>;
using Maps = std::vector<std::vector<int>>;
using Counts = std::vector<std::vector<long>>;  // d x sizes[j]

// ---- Section 2.1: tree-structured permutations ---------------------------------------------------------------------

// `perm`, `left_new` and the links alone define the TSP; hand-made trees may leave the raw half empty.
struct Node {
  int parent = -1, left = -1, right = -1;
  int depth = 0;
  int feature = -1;  // split feature s; -1 at a leaf

  // As grown (all permutations the identity).
  long rows = 0;                   // training rows that reach the node
  std::vector<int> left_raw = {};  // v, sorted: a row goes left iff x_s is in it
  Sets domain_raw = {};
  Counts counts_raw = {};  // of the rows that reach the node

  // After pass 1.
  Maps perm_tilde = {};      // pi~, on domain_raw
  Counts counts_tilde = {};  // c~: the counts after pi~ of this node and all below it, ascending on domain_raw

  // After pass 2.
  Maps anc = {};                   // pi_anc: domain_raw -> domain_new
  Maps perm = {};                  // pi_N, on domain_new
  std::vector<int> left_new = {};  // v_new, sorted: a row goes left iff perm(x)_s is in it
  Sets domain_new = {};

  bool IsLeaf() const { return feature < 0; }
};

struct Tree {
  std::vector<Node> nodes;  // breadth-first; node 0 is the root and may be a leaf
};

// sigma_T(x), the definition "Tree-Structured Permutation": permute, test, descend.
Row Forward(const Tree& tree, Row x);
// The nodes that x passes on the way, root first.
std::vector<int> ForwardPath(const Tree& tree, Row x);

// The definition "Node Domain": fills domain_new of every node from perm and left_new (whatever they are).
void ComputeNodeDomains(Tree* tree, const Sizes& sizes);

// The whole domain, in lexicographic order (the last feature runs fastest).
Rows AllConfigurations(const Sizes& sizes);

// ---- Section 2.2 and the appendix's proofs: invertibility ----------------------------------------------------------

// The theorem "TSP Invertibility Constraint": every node permutation maps the node's domain onto itself. Sufficient.
bool SatisfiesInvertibilityConstraint(const Tree& tree);
// The appendix's necessary and sufficient condition: the ranges of the leaves are pairwise disjoint. Needs domain_new.
bool LeafRangesDisjoint(const Tree& tree);
// Brute force: no two configurations of the whole domain have the same image.
bool IsInvertible(const Tree& tree, const Sizes& sizes);

// sigma_T^-1(z) by walking z down without permuting, then undoing the permutations from the leaf to the root.
// REQUIRES: SatisfiesInvertibilityConstraint(tree).
Row Inverse(const Tree& tree, Row z);

// ---- Section 2.3 and the appendix: expressivity --------------------------------------------------------------------

// A TSP that swaps x with the configuration that has `value` in feature j instead, and moves nothing else: a chain of
// splits down to the cells that agree with x in every other feature, the swap at the last leaf.
Tree SingleFeatureSwap(const Sizes& sizes, const Row& x, int j, int value);
// Every configuration once, neighbours differing in one feature by one.
Rows SnakePath(const Sizes& sizes);
// Single feature swaps whose composition, the first applied first, sends SnakePath()[i] to SnakePath()[target[i]].
std::vector<Tree> FlowForPermutation(const Sizes& sizes, const std::vector<int>& target);

// ---- Section 3.1: learning the structure (construct_tree.cc) -------------------------------------------------------

enum class Criterion {
  // MinPermNLL as the paper states it, local to the node: sum over j of sum over a of f(m_j[a]), where m_j is the left
  // child's and the right child's counts, each sorted on D_j, added; for the split feature the node's own counts.
  kGlp,
  // What the authors' program scores: C_j = raw counts of all n rows of the layer - raw counts of the node + left child
  // sorted on its domain + right child sorted on its domain, for every j (so the split feature's right part is sorted
  // on D_s - v, its left part stays at v); then sum over j, a of C ln((C + .01) / (n + .01 sizes[j])) / n.
  kGlpCode,
  // kGlp against the whole layer: T_j[r] = sum over the present leaves of their counts in descending order (rank 0 the
  // largest). A split on s adds l_j + r_j - p_j to T_j for j != s and leaves T_s alone; the score is
  // sum over j, r of f(T_j[r]) after it. A split that does not raise the layer's score is refused. T_j - p_j is kept in
  // [0, rows outside the node]: with several values to the left it may leave that.
  kGlpAligned,
  // `given`, by node number.
  kGiven,
};

struct Split {
  int feature = -1;  // -1: a leaf
  std::vector<int> left = {};
};

struct LearnOptions {
  Criterion criterion = Criterion::kGlp;
  int max_depth = 1;  // M
  long n_min = 0;     // a node is split only if it has more rows
  std::vector<Split> given =
      {};  // kGiven: per node, breadth-first; nodes past the end are leaves. Overrides the stop rule.
  // Codes that go left, at most. Beyond one: each feature's best single code is joined by the present code that raises
  // the score most, again and again while one does; then the best feature's set wins.
  int split_values = 1;
};

// Scores within kTie * |largest| of the largest count as equal; the smallest (feature, value) of those wins.
inline constexpr double kTie = 1e-11;

// rows > n_min, depth < M, and some feature has two values present.
bool MaySplit(const Node& node, const LearnOptions& options);
// ConstructTree: the raw half of every node. Nodes are split in the order in which they were made.
Tree ConstructTree(const Rows& rows, const Sizes& sizes, const LearnOptions& options);

// ---- Section 3.2: learning the node permutations -------------------------------------------------------------------

// Pass 1, bottom-up: perm_tilde and counts_tilde. Ties keep their code order.
void LearnLocalPermutations(Tree* tree);
// Pass 2, top-down: anc, perm, left_new and domain_new. v_new = pi_anc(pi~(v)): the paper prints the two maps in the
// other order, which is a slip.
void ConstructEquivalentTree(Tree* tree, const Sizes& sizes);
// LearnTSP: the three above.
Tree LearnTree(const Rows& rows, const Sizes& sizes, const LearnOptions& options);

// The nodes that the raw row passes in the tree as grown.
std::vector<int> RawPath(const Tree& tree, const Row& x);
// The lemma: sigma(x) = pi~_0 o pi~_1 o ... o pi~_M (x) along the raw row's path, the leaf's map first.
Row ForwardByLemma(const Tree& tree, const Row& x);

// The definition "TSP Node Counts": c_N(j,a) = #{i : sigma(x_i)_j = a and sigma(x_i) in D(N)}, per node.
std::vector<Counts> NodeCounts(const Tree& tree, const Rows& rows, const Sizes& sizes);
// The definition "Rank Consistency" with the identity as the common order: at every node the counts of every feature
// ascend on the node's domain and vanish outside it.
bool IsRankConsistent(const Tree& tree, const Rows& rows, const Sizes& sizes);

// Calls visit(T) for every TSP T that is tree equivalent to the grown `tree` and satisfies the invertibility
// constraint: all choices of node permutations, each node's left set carried along. Product over nodes and features of
// |D_j|! of them: tiny domains only; EquivalentTreeCount says how many (as a double: it may be huge).
double EquivalentTreeCount(const Tree& tree);
void ForEachEquivalentTree(const Tree& tree, const Sizes& sizes, const std::function<void(const Tree&)>& visit);

// ---- The flow: layers, base, likelihood ----------------------------------------------------------------------------

struct Flow {
  Sizes sizes;
  std::vector<Tree> trees;                // the first is applied first
  std::vector<std::vector<double>> base;  // Q_j(a), d x sizes[j]
};

// Q_j(a) = (count_j(a) + alpha) / (n + alpha sizes[j]).
std::vector<std::vector<double>> IndependentBase(const Rows& rows, const Sizes& sizes, double alpha);
// ln Q(z).
double LogBase(const std::vector<std::vector<double>>& base, const Row& z);
// min over independent Q of -sum over rows of ln Q(z_i), in nats (all rows together): n times the sum of the features'
// empirical entropies.
double MinNll(const Rows& rows, const Sizes& sizes);

// One tree per element of `layers`, each learnt on the rows as the trees before it left them.
Flow FitFlow(Rows rows, const Sizes& sizes, const std::vector<LearnOptions>& layers, double alpha);
Row Encode(const Flow& flow, Row x);
Row Decode(const Flow& flow, Row z);
// ln P(x) = ln Q(f(x)).
double LogLikelihood(const Flow& flow, const Row& x);

// As in the paper's tables: 2 per node, leaves included, plus max(sizes) per node and feature whose permutation is not
// the identity.
long ParameterCount(const Tree& tree, const Sizes& sizes);

}  // namespace dtf::oracle

#endif  // DTF_TESTS_ORACLE_ORACLE_H_
