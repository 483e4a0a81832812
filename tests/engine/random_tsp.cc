#include "engine/random_tsp.h"

#include <algorithm>
#include <span>

namespace dtf {
namespace {

template <typename T>
void Shuffle(RandomStream& random, std::span<T> list) {
  for (std::size_t i = 0; i + 1 < list.size(); ++i) std::swap(list[i], list[i + random.Below(list.size() - i)]);
}

std::vector<int> RandomMap(RandomStream& random, const std::vector<int>& domain, Code size) {
  std::vector<int> images = domain;
  if (random.Below(2) == 0) Shuffle(random, std::span(images));
  std::vector<int> map(size, -1);
  for (std::size_t i = 0; i < domain.size(); ++i) map[domain[i]] = images[i];
  return map;
}

// A proper, not empty part of `domain`.
std::vector<int> RandomPart(RandomStream& random, std::vector<int> domain) {
  Shuffle(random, std::span(domain));
  domain.resize(1 + random.Below(domain.size() - 1));
  std::sort(domain.begin(), domain.end());
  return domain;
}

}  // namespace

oracle::Tree MakeRandomTsp(RandomStream& random, const std::vector<Code>& sizes, int most_depth) {
  oracle::Tree tree;
  oracle::Sets all;
  for (const Code size : sizes) {
    std::vector<int>& codes = all.emplace_back(size);
    for (Code a = 0; a < size; ++a) codes[a] = static_cast<int>(a);
  }
  tree.nodes.emplace_back().domain_new = all;
  for (std::size_t id = 0; id < tree.nodes.size(); ++id) {
    oracle::Node node = tree.nodes[id];
    for (std::size_t j = 0; j < sizes.size(); ++j) node.perm.push_back(RandomMap(random, node.domain_new[j], sizes[j]));
    const auto feature = static_cast<int>(random.Below(sizes.size()));
    if (node.depth < most_depth && node.domain_new[feature].size() > 1 && random.Below(5) > 0) {
      node.feature = feature;
      node.left_new = RandomPart(random, node.domain_new[feature]);
      oracle::Node child;
      child.parent = static_cast<int>(id);
      child.depth = node.depth + 1;
      child.domain_new = node.domain_new;
      std::vector<int> right;
      std::set_difference(node.domain_new[feature].begin(), node.domain_new[feature].end(), node.left_new.begin(),
                          node.left_new.end(), std::back_inserter(right));
      node.left = static_cast<int>(tree.nodes.size());
      node.right = node.left + 1;
      child.domain_new[feature] = node.left_new;
      tree.nodes.push_back(child);
      child.domain_new[feature] = right;
      tree.nodes.push_back(child);
    }
    tree.nodes[id] = std::move(node);
  }
  return tree;
}

TspNodes ToTspNodes(const oracle::Tree& tree, const std::vector<Code>& sizes) {
  TspNodes nodes;
  for (const oracle::Node& node : tree.nodes) {
    nodes.left.push_back(node.left);
    nodes.right.push_back(node.right);
    nodes.feature.push_back(node.IsLeaf() ? 0 : static_cast<Feature>(node.feature));
    nodes.left_set.Append(std::vector<Code>(node.left_new.begin(), node.left_new.end()));
    std::vector<Feature> moved;
    for (Feature j = 0; j < sizes.size(); ++j) {
      const std::vector<int>& map = node.perm[j];
      std::vector<std::pair<int, Code>> by_image;
      for (Code code = 0; code < map.size(); ++code) {
        if (map[code] >= 0) by_image.emplace_back(map[code], code);
      }
      std::sort(by_image.begin(), by_image.end());
      std::vector<Code> sources;
      for (const auto& [image, code] : by_image) sources.push_back(code);
      std::vector<Code> codes = sources;
      std::sort(codes.begin(), codes.end());
      const Permutation permutation = Permutation::FromOrder(CodeSet::Listed(codes), sources);
      if (permutation.is_identity()) continue;
      moved.push_back(j);
      nodes.top.Append(permutation.top());
    }
    nodes.moved.Append(moved);
  }
  return nodes;
}

}  // namespace dtf
