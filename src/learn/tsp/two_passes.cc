#include "learn/tsp/two_passes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "count/node_counts.h"

namespace dtf {
namespace {

class PassOne {
 public:
  PassOne(const GrownTree& tree, const LeafCounts& leaf_counts, const std::vector<Code>& sizes)
      : tree_(tree), leaf_counts_(leaf_counts), layout_(sizes), nodes_(tree.nodes.size()) {}

  PassOneResult Run() && {
    Counts counts = Visit(0);
    return {std::move(nodes_), std::move(counts)};
  }

 private:
  using Counts = std::vector<std::uint64_t>;  // by CodeLayout; 0 outside the node's domain

  // Learns the permutations of the subtree under `node`; returns the node's counts after them.
  Counts Visit(std::int32_t node) {
    const GrownNode& at = tree_.nodes[node];
    if (at.is_leaf()) {
      Counts counts = leaf_counts_(node);
      for (Feature j = 0; j < layout_.features(); ++j) Sort(node, j, counts);
      return counts;
    }
    Counts counts = Visit(at.left);
    const Counts right = Visit(at.right);
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += right[i];
    Sort(node, at.split.feature, counts);
    return counts;
  }

  // Sorts feature j's counts on the node's domain, and notes the permutation that does.
  void Sort(std::int32_t node, Feature j, Counts& counts) {
    const CodeSet domain = tree_.nodes[node].domain.Of(j);
    const auto of_feature = std::span(counts).subspan(layout_.begin(j), layout_.size(j));
    if (domain.size() == of_feature.size() && std::is_sorted(of_feature.begin(), of_feature.end())) return;
    const std::vector<Code> codes = domain.Codes();
    Counts in_order(codes.size());
    for (std::size_t i = 0; i < codes.size(); ++i) in_order[i] = of_feature[codes[i]];
    Permutation permutation = Permutation::Sorting(domain, in_order);
    if (permutation.is_identity()) return;
    std::sort(in_order.begin(), in_order.end());
    for (std::size_t i = 0; i < codes.size(); ++i) of_feature[codes[i]] = in_order[i];
    nodes_[node].features.push_back(j);
    nodes_[node].permutations.push_back(std::move(permutation));
  }

  const GrownTree& tree_;
  const LeafCounts& leaf_counts_;
  CodeLayout layout_;
  std::vector<NodePermutations> nodes_;
};

class PassTwo {
 public:
  PassTwo(const GrownTree& tree, const std::vector<NodePermutations>& pass1) : tree_(tree), pass1_(pass1) {}

  TspNodes Run() && {
    ancestors_.resize(tree_.nodes.size());
    for (std::size_t node = 0; node < tree_.nodes.size(); ++node) Visit(node);
    return std::move(result_);
  }

 private:
  // π_anc at a node, on its raw domain: the images of the domain's codes, in order. Only features that were split on by
  // an ancestor are kept: pass 1 moves no other feature above a leaf.
  using Images = std::map<Feature, std::vector<Code>>;

  void Visit(std::size_t id) {
    const GrownNode& node = tree_.nodes[id];
    const NodePermutations& learnt = pass1_[id];
    Images images = std::move(ancestors_[id]);
    std::vector<Feature> moved;
    for (std::size_t i = 0; i < learnt.features.size(); ++i) {
      const Feature j = learnt.features[i];
      const CodeSet domain = node.domain.Of(j);
      const Permutation permutation = Conjugate(learnt.permutations[i], domain, images, j);
      if (permutation.is_identity()) continue;
      moved.push_back(j);
      result_.top.Append(permutation.top());
    }
    result_.moved.Append(moved);
    result_.left.push_back(node.left);
    result_.right.push_back(node.right);
    result_.feature.push_back(node.is_leaf() ? 0 : node.split.feature);
    if (node.is_leaf()) {
      result_.left_set.Append({});
      return;
    }
    images.insert_or_assign(node.split.feature, ImagesAfter(node, learnt, images));
    HandDown(node, images);
  }

  // π_anc ∘ π̃ ∘ π_anc⁻¹ on the permuted domain: maps π_anc(x) to π_anc(π̃(x)).
  static Permutation Conjugate(const Permutation& tilde, const CodeSet& domain, const Images& images, Feature j) {
    const auto found = images.find(j);
    if (found == images.end()) return tilde;
    const std::vector<Code>& image = found->second;
    // sources[r]: what is mapped to the r-th code of the permuted domain.
    const std::vector<Code> tilde_sources = tilde.Sources(domain);
    std::vector<Code> by_image(domain.size());
    std::iota(by_image.begin(), by_image.end(), Code{0});
    std::sort(by_image.begin(), by_image.end(), [&](Code a, Code b) { return image[a] < image[b]; });
    std::vector<Code> sources(domain.size());
    std::vector<Code> permuted_domain(domain.size());
    for (Code r = 0; r < domain.size(); ++r) {
      sources[r] = image[domain.IndexOf(tilde_sources[by_image[r]])];
      permuted_domain[r] = image[by_image[r]];
    }
    return Permutation::FromOrder(CodeSet::Listed(std::move(permuted_domain)), sources);
  }

  // π_anc ∘ π̃ of the split feature: the children's π_anc on this node's domain.
  static std::vector<Code> ImagesAfter(const GrownNode& node, const NodePermutations& learnt, const Images& images) {
    const Feature s = node.split.feature;
    const CodeSet domain = node.domain.Of(s);
    const auto moved = std::find(learnt.features.begin(), learnt.features.end(), s);
    const auto before = images.find(s);
    std::vector<Code> after(domain.size());
    for (Code i = 0; i < domain.size(); ++i) {
      Code code = domain.At(i);
      if (moved != learnt.features.end()) {
        code = learnt.permutations[moved - learnt.features.begin()].Apply(domain, code);
      }
      after[i] = before == images.end() ? code : before->second[domain.IndexOf(code)];
    }
    return after;
  }

  // The node's left set, and π_anc of its children: their share of the split feature's images.
  void HandDown(const GrownNode& node, const Images& images) {
    const Feature s = node.split.feature;
    const CodeSet domain = node.domain.Of(s);
    for (const std::int32_t child : {node.left, node.right}) {
      Images narrowed = images;
      std::vector<Code>& of_split = narrowed[s];
      of_split.clear();
      const CodeSet child_domain = tree_.nodes[child].domain.Of(s);
      for (Code i = 0; i < child_domain.size(); ++i) {
        of_split.push_back(images.at(s)[domain.IndexOf(child_domain.At(i))]);
      }
      if (child == node.left) {
        std::vector<Code> left_set = of_split;
        std::sort(left_set.begin(), left_set.end());
        result_.left_set.Append(left_set);
      }
      ancestors_[child] = std::move(narrowed);
    }
  }

  const GrownTree& tree_;
  const std::vector<NodePermutations>& pass1_;
  std::vector<Images> ancestors_;
  TspNodes result_;
};

}  // namespace

PassOneResult LearnPermutations(const GrownTree& tree, const LeafCounts& leaf_counts, const std::vector<Code>& sizes) {
  return PassOne(tree, leaf_counts, sizes).Run();
}

TspNodes ConstructEquivalentTree(const GrownTree& tree, const std::vector<NodePermutations>& pass1) {
  return PassTwo(tree, pass1).Run();
}

}  // namespace dtf
