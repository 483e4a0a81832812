#include "format/check_autoregressive.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <variant>

#include "dtf/error.h"

namespace dtf {
namespace {

constexpr double kMostRows = 0x1p53;
constexpr double kMostAlpha = 0x1p900;  // so that α (k + 1) is finite

void Require(bool condition, const char* what) {
  if (!condition) throw Error(ErrorKind::kModelFile, what);
}

std::int64_t SizeOf(Logit logit) { return std::abs(std::int64_t{logit}); }

// The largest size of a bias for which the question's logit does not overflow; negative if there is none.
std::int64_t MostBias(const Question& question) {
  std::int64_t most = kMostLogit;
  for (const LogitTerm& term : question.terms) most -= SizeOf(term.value);
  for (const LogitTree& tree : question.trees) {
    std::int64_t most_of_tree = 0;
    for (const Logit leaf : tree.leaves) most_of_tree = std::max(most_of_tree, SizeOf(leaf));
    most -= most_of_tree;
  }
  return most;
}

void CheckBias(Logit bias, std::int64_t most) {
  Require(SizeOf(bias) <= most, "a question has logits that sum to more than 2^30");
}

}  // namespace

ConditionerChecker::ConditionerChecker(const std::vector<Code>& sizes, std::span<const Feature> order,
                                       std::span<const CodeTest> tests)
    : sizes_(sizes), tests_(tests), place_(sizes.size(), sizes.size()) {
  Require(order.size() == sizes.size(), "its order has not as many columns as the schema");
  for (std::size_t place = 0; place < order.size(); ++place) {
    Require(order[place] < sizes.size() && place_[order[place]] == sizes.size(), "its order is no permutation");
    place_[order[place]] = place;
  }
  for (const CodeTest& test : tests) {
    Require(test.column < sizes.size(), "a test looks at a column that is not there");
    Require(test.first <= test.last && test.last < sizes[test.column], "a test has codes that its column has not");
  }
}

void ConditionerChecker::Check(Feature column, const Conditioner& conditioner) {
  column_ = column;
  const std::size_t categories = sizes_[column];
  const std::size_t questions = conditioner.questions.size();
  Require(questions + 1 == categories, "a column has not one question fewer than categories");
  StartClaims(questions, categories);
  for (std::size_t q = 0; q < questions; ++q) {
    for (const std::int32_t child : {conditioner.questions[q].yes, conditioner.questions[q].no}) {
      Require(Claim(child, q, questions, categories), "the questions of a column are no tree of its categories");
    }
  }
  for (const Question& question : conditioner.questions) {
    for (const LogitTerm& term : question.terms) CheckTest(term.test);
    for (const LogitTree& tree : question.trees) CheckTree(tree);
    CheckBias(question.bias, MostBias(question));
  }
}

// Of 2 (nodes - 1) children of nodes and leaves none may be claimed twice: then all are.
void ConditionerChecker::StartClaims(std::size_t nodes, std::size_t leaves) {
  ++tree_;
  if (claimed_.size() < nodes + leaves) claimed_.resize(nodes + leaves, 0);
}

bool ConditionerChecker::Claim(std::int32_t child, std::size_t parent, std::size_t nodes, std::size_t leaves) {
  const std::size_t place = child >= 0 ? static_cast<std::size_t>(child)
                                       : nodes + static_cast<std::size_t>(-1 - static_cast<std::int64_t>(child));
  if (child >= 0 ? place <= parent || place >= nodes : place >= nodes + leaves) return false;
  const bool is_free = claimed_[place] != tree_;
  claimed_[place] = tree_;
  return is_free;
}

void ConditionerChecker::CheckTest(std::uint32_t test) const {
  Require(test < tests_.size(), "a question has a test that is not there");
  Require(place_[tests_[test].column] < place_[column_], "a question looks at a column that is not before its own");
}

void ConditionerChecker::CheckTree(const LogitTree& tree) {
  Require(tree.leaves.size() == tree.nodes.size() + 1, "a tree has not one leaf more than nodes");
  StartClaims(tree.nodes.size(), tree.leaves.size());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const LogitTree::Node& node = tree.nodes[i];
    CheckTest(node.test);
    Require(Claim(node.pass, i, tree.nodes.size(), tree.leaves.size()) &&
                Claim(node.fail, i, tree.nodes.size(), tree.leaves.size()),
            "a question has a tree that is none");
  }
}

bool MayHaveSiblings(const AutoregressiveFlow& flow) {
  return std::holds_alternative<ConditionalBase>(flow.base()) && flow.NodeCount() == 0;
}

double SiblingCost(std::size_t columns) {
  constexpr double kColumn = 64;  // a size, a pointer, and scores of members that ask nothing
  return kColumn * static_cast<double>(columns);
}

BiasChecker::BiasChecker(const AutoregressiveFlow& flow) {
  Require(MayHaveSiblings(flow), "it has the questions of a member that has trees or an independent base");
  for (Feature column = 0; column < flow.sizes().size(); ++column) {
    auto& most = most_.emplace_back();
    for (const Question& question : flow.compiled(column).questions()) most.push_back(MostBias(question));
  }
}

void BiasChecker::Check(const std::vector<std::vector<Logit>>& biases) const {
  Require(biases.size() == most_.size(), "it has biases of other columns than its questions");
  for (std::size_t column = 0; column < biases.size(); ++column) {
    Require(biases[column].size() == most_[column].size(), "it has not one bias for each question");
    for (std::size_t q = 0; q < biases[column].size(); ++q) CheckBias(biases[column][q], most_[column][q]);
  }
}

void CheckConditionalBase(const ConditionalBase& base, std::size_t columns) {
  Require(base.rows >= 0 && base.rows <= kMostRows, "the base's number of rows is not one from 0 to 2^53");
  Require(base.alpha >= 0 && base.alpha <= kMostAlpha, "alpha is not a number from 0 to 2^900");
  Require(base.rows > 0 || base.alpha > 0, "the base has no rows, and alpha is 0");
  if (base.single_rows.empty()) return;
  Require(!base.closed, "it is closed, and its base keeps mass for values never seen");
  Require(base.single_rows.size() == columns, "the base has other columns than the schema");
  for (const double rows : base.single_rows) {
    Require(rows >= 0 && rows <= base.rows, "the base has a column with more single rows than rows");
  }
}

}  // namespace dtf
