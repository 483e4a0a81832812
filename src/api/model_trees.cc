// Model::DescribeLayer and Model::DescribeQuestions.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "api/describe_flow.h"
#include "api/model_impl.h"
#include "dtf/error.h"
#include "dtf/model.h"
#include "flow/autoregressive_flow.h"
#include "flow/layered_flow.h"
#include "flow/mixture_flow.h"

namespace dtf {
namespace {

// A small file may hold questions that list their categories over and over, far more of them than memory holds.
constexpr std::uint64_t kMostCodesDescribed = 20'000'000;

[[noreturn]] void ThrowNone(const std::string& what, std::size_t number, std::size_t count) {
  throw Error(ErrorKind::kUsage, "there is no " + what + " " + std::to_string(number) + ": the model has " +
                                     std::to_string(count) + ", counted from 0");
}

// A TSP numbers splits and leaves together; a description numbers each on its own, in the same order.
TreeDescription DescribeTsp(const Tsp& tsp, const CompiledTsp& compiled) {
  std::vector<std::int32_t> child(tsp.size());
  TreeDescription tree;
  std::int32_t splits = 0;
  for (std::int32_t node = 0; node < tsp.size(); ++node) {
    if (!tsp.is_leaf(node)) {
      child[node] = splits++;
    } else {
      tree.leaves.push_back(0);
      child[node] = -static_cast<std::int32_t>(tree.leaves.size());
    }
  }
  for (std::int32_t node = 0; node < tsp.size(); ++node) {
    if (tsp.is_leaf(node)) continue;
    tree.splits.push_back({.test = {.column = tsp.nodes().feature[node], .codes = compiled.RawLeftSet(node)},
                           .yes = child[tsp.nodes().left[node]],
                           .no = child[tsp.nodes().right[node]]});
  }
  return tree;
}

TestDescription DescribeTest(const CodeTest& test) {
  TestDescription description{.column = test.column, .codes = std::vector<Code>(test.last - test.first + 1)};
  std::iota(description.codes.begin(), description.codes.end(), test.first);
  return description;
}

TreeDescription DescribeTree(const LogitTree& tree, const std::vector<CodeTest>& tests) {
  TreeDescription description;
  for (const LogitTree::Node& node : tree.nodes) {
    description.splits.push_back({.test = DescribeTest(tests[node.test]), .yes = node.pass, .no = node.fail});
  }
  for (const Logit leaf : tree.leaves) description.leaves.push_back(leaf * kLogitUnit);
  return description;
}

QuestionDescription DescribeQuestion(const Question& question, const std::vector<CodeTest>& tests) {
  QuestionDescription description;
  description.bias = question.bias * kLogitUnit;
  for (const LogitTerm& term : question.terms) {
    description.terms.push_back({.test = DescribeTest(tests[term.test]), .weight = term.value * kLogitUnit});
  }
  for (const LogitTree& tree : question.trees) description.trees.push_back(DescribeTree(tree, tests));
  return description;
}

// The categories below `child` of one of the questions.
std::vector<Code> CategoriesBelow(std::int32_t child, const std::vector<QuestionDescription>& questions) {
  if (child < 0) return {static_cast<Code>(-1 - child)};
  std::vector<Code> categories;
  std::merge(questions[child].yes.begin(), questions[child].yes.end(), questions[child].no.begin(),
             questions[child].no.end(), std::back_inserter(categories));
  return categories;
}

// How many codes a description of the questions lists: of categories, which are listed again by each question on the
// way to them, and of tests.
std::uint64_t CodesDescribed(const std::vector<Question>& questions, const std::vector<CodeTest>& tests) {
  const auto size = [&](std::size_t test) { return std::uint64_t{tests[test].last} - tests[test].first + 1; };
  std::vector<std::uint64_t> below(questions.size());
  std::uint64_t codes = 0;
  for (std::size_t q = questions.size(); q-- > 0;) {
    for (const std::int32_t child : {questions[q].yes, questions[q].no}) below[q] += child < 0 ? 1 : below[child];
    codes += below[q];
    for (const LogitTerm& term : questions[q].terms) codes += size(term.test);
    for (const LogitTree& tree : questions[q].trees) {
      for (const LogitTree::Node& node : tree.nodes) codes += size(node.test);
    }
  }
  return codes;
}

std::vector<QuestionDescription> DescribeConditioner(const AutoregressiveFlow& flow, Feature column) {
  const std::vector<Question> questions = flow.conditioner(column).questions;
  std::vector<QuestionDescription> descriptions;
  descriptions.reserve(questions.size());
  for (const Question& question : questions) descriptions.push_back(DescribeQuestion(question, flow.tests()));
  for (std::size_t q = questions.size(); q-- > 0;) {  // those asked later first
    descriptions[q].yes = CategoriesBelow(questions[q].yes, descriptions);
    descriptions[q].no = CategoriesBelow(questions[q].no, descriptions);
  }
  return descriptions;
}

}  // namespace

TreeDescription Model::DescribeLayer(std::size_t layer) const {
  const auto* flow = dynamic_cast<const LayeredFlow*>(impl_->content.flow.get());
  if (flow == nullptr) {
    throw Error(ErrorKind::kUsage, "this model is " + DescribeInWords(*impl_->content.flow) +
                                       ": it has no layers, but questions for each column");
  }
  if (layer >= flow->layers().size()) ThrowNone("layer", layer, flow->layers().size());
  return DescribeTsp(flow->layers()[layer], flow->compiled()[layer]);
}

std::vector<QuestionDescription> Model::DescribeQuestions(std::size_t column, std::size_t member) const {
  const Flow* flow = impl_->content.flow.get();
  const auto* mixture = dynamic_cast<const MixtureFlow*>(flow);
  const std::size_t members = mixture == nullptr ? 1 : mixture->members().size();
  if (member >= members) ThrowNone("member", member, members);
  if (mixture != nullptr) flow = mixture->members()[member].get();
  const auto* autoregressive = dynamic_cast<const AutoregressiveFlow*>(flow);
  if (autoregressive == nullptr) {
    const std::string part = mixture == nullptr ? "this model" : "member " + std::to_string(member);
    const std::string instead = dynamic_cast<const LayeredFlow*>(flow) == nullptr ? "" : ", but layers";
    throw Error(ErrorKind::kUsage, part + " is " + DescribeInWords(*flow) + ": it has no questions" + instead);
  }
  if (column >= flow->sizes().size()) ThrowNone("column", column, flow->sizes().size());
  const auto& questions = autoregressive->compiled(static_cast<Feature>(column)).questions();
  const std::uint64_t codes = CodesDescribed(questions, autoregressive->tests());
  if (codes > kMostCodesDescribed) {
    throw Error(ErrorKind::kUsage, "the questions about column `" + schema().columns[column].name +
                                       "` and their tests list " + std::to_string(codes) +
                                       " categories, too many to be told one by one (the most is " +
                                       std::to_string(kMostCodesDescribed) + ")");
  }
  return DescribeConditioner(*autoregressive, static_cast<Feature>(column));
}

}  // namespace dtf
