#include "api/describe_flow.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "flow/autoregressive_flow.h"
#include "flow/hidden_tree_flow.h"
#include "flow/layered_flow.h"
#include "flow/mixture_flow.h"
#include "flow/sibling_members.h"

namespace dtf {
namespace {

void DescribeAutoregressive(const AutoregressiveFlow& flow, ModelStructure& structure) {
  structure.kind = "autoregressive";
  structure.base = std::holds_alternative<IndependentBase>(flow.base()) ? "independent" : "conditional";
  structure.order.assign(flow.order().begin(), flow.order().end());
  for (Feature column = 0; column < flow.sizes().size(); ++column) {
    bool looks_at_others = false;
    for (const Question& question : flow.compiled(column).questions()) {
      looks_at_others = looks_at_others || !question.terms.empty() || !question.trees.empty();
      ++structure.questions;
      structure.trees += question.trees.size();
      structure.terms += question.terms.size();
    }
    structure.conditioners += looks_at_others ? 1 : 0;
  }
}

void DescribeMixture(const MixtureFlow& flow, ModelStructure& structure) {
  structure.kind = "mixture";
  const std::vector<std::size_t> siblings = SiblingMembers(flow.members()).positions();
  for (std::size_t m = 0; m < flow.members().size(); ++m) {
    structure.members.push_back(DescribeFlow(*flow.members()[m]));
    ModelStructure& member = structure.members.back();
    member.weight = flow.weights()[m];
    member.is_class =
        (member.kind == "autoregressive" && member.conditioners == 0) || std::ranges::binary_search(siblings, m);
  }
}

}  // namespace

ModelStructure DescribeFlow(const Flow& flow) {
  ModelStructure structure;
  structure.nodes = flow.NodeCount();
  structure.parameters = flow.ParameterCount();
  if (const auto* mixture = dynamic_cast<const MixtureFlow*>(&flow)) {
    DescribeMixture(*mixture, structure);
  } else if (const auto* autoregressive = dynamic_cast<const AutoregressiveFlow*>(&flow)) {
    DescribeAutoregressive(*autoregressive, structure);
  } else if (const auto* hidden_tree = dynamic_cast<const HiddenTreeFlow*>(&flow)) {
    structure.kind = "hidden-tree";
    structure.base = "conditional";
    structure.order.assign(hidden_tree->tree().order.begin(), hidden_tree->tree().order.end());
  } else {
    structure.kind = "tsp";
    const auto& layered = dynamic_cast<const LayeredFlow&>(flow);
    structure.base = std::holds_alternative<IndependentBase>(layered.base()) ? "independent" : "conditional";
    structure.layers = LayerCount(flow);
  }
  return structure;
}

std::string DescribeInWords(const Flow& flow) {
  if (const auto* mixture = dynamic_cast<const MixtureFlow*>(&flow)) {
    return "a mixture of " + std::to_string(mixture->members().size()) + " models";
  }
  const std::string kind = DescribeFlow(flow).kind;
  if (kind == "hidden-tree") return "a hidden tree";
  return kind == "autoregressive" ? "an autoregressive model" : "a tsp model";
}

int LayerCount(const Flow& flow) {
  const auto* layered = dynamic_cast<const LayeredFlow*>(&flow);
  return layered == nullptr ? 0 : static_cast<int>(layered->layers().size());
}

}  // namespace dtf
