#include "engine/learnt_tree.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "engine/tables.h"
#include "tree/compiled_tsp.h"

namespace dtf {
namespace {

// A permutation as the oracle writes it: old code -> new code, -1 outside the domain.
std::vector<int> ToMap(const Permutation& permutation, const CodeSet& domain, Code size) {
  std::vector<int> map(size, -1);
  for (Code i = 0; i < domain.size(); ++i) {
    map[domain.At(i)] = static_cast<int>(permutation.Apply(domain, domain.At(i)));
  }
  return map;
}

std::vector<int> ToInts(std::span<const Code> codes) { return {codes.begin(), codes.end()}; }

Permutation TildeOf(const NodePermutations& node, Feature j) {
  const auto found = std::find(node.features.begin(), node.features.end(), j);
  return found == node.features.end() ? Permutation() : node.permutations[found - node.features.begin()];
}

Permutation FinalOf(const Tsp& tsp, std::int32_t node, Feature j) {
  const auto moved = tsp.moved(node);
  const auto found = std::find(moved.begin(), moved.end(), j);
  return found == moved.end() ? Permutation() : tsp.permutation(node, found - moved.begin());
}

template <typename Apply>
oracle::Rows MapRows(const oracle::Rows& rows, const std::vector<Code>& sizes, const Apply& apply) {
  CodeTable table = ToCodeTable(rows, sizes);
  for (std::size_t first = 0; first < table.rows; first += 37) {
    CodeBlock block(table, first, std::min<std::size_t>(37, table.rows - first));
    apply(block);
    block.CopyTo(table, first);
  }
  return ToRows(table);
}

}  // namespace

LearntTree LearnTree(const CodeTable& codes, const std::vector<Code>& sizes, const GrowOptions& options,
                     std::uint64_t layer, Criterion& criterion) {
  const CodeLayout layout(sizes);
  const CountingTable counting(codes, layout, {});
  GrownTree grown = GrowTree(codes, counting, 1, sizes, options, layer, criterion);
  const auto leaf_counts = [&](std::int32_t leaf) {
    const auto& counts = grown.leaf_counts[leaf].counts;
    return std::vector<std::uint64_t>(counts.begin(), counts.end());
  };
  auto pass1 = LearnPermutations(grown, leaf_counts, sizes).nodes;
  Tsp tsp = Tsp::Make(ConstructEquivalentTree(grown, pass1), sizes);
  return {std::move(grown), std::move(pass1), std::move(tsp)};
}

std::optional<SetSplit> GivenCriterion::BestSplit(const NodeTask& task) {
  if (task.node >= splits_.size() || splits_[task.node].feature < 0) return std::nullopt;
  const oracle::Split& split = splits_[task.node];
  return SetSplit{static_cast<Feature>(split.feature), {split.left.begin(), split.left.end()}};
}

void ExpectSameTree(const LearntTree& learnt, const oracle::Tree& expected, const std::vector<Code>& sizes) {
  ASSERT_EQ(learnt.grown.nodes.size(), expected.nodes.size());
  const TspNodes& nodes = learnt.tsp.nodes();
  std::vector<Domain> domains(expected.nodes.size(), Domain(sizes));  // after the permutations of the ancestors
  for (std::size_t id = 0; id < expected.nodes.size(); ++id) {
    SCOPED_TRACE("node " + std::to_string(id));
    const GrownNode& grown = learnt.grown.nodes[id];
    const oracle::Node& node = expected.nodes[id];
    ASSERT_EQ(grown.is_leaf(), node.IsLeaf());
    ASSERT_EQ(grown.left, node.left);
    ASSERT_EQ(grown.right, node.right);
    EXPECT_EQ(static_cast<long>(grown.last_row - grown.first_row), node.rows);
    const auto at = static_cast<std::int32_t>(id);
    for (Feature j = 0; j < sizes.size(); ++j) {
      EXPECT_EQ(ToMap(TildeOf(learnt.pass1[id], j), grown.domain.Of(j), sizes[j]), node.perm_tilde[j]);
      EXPECT_EQ(ToMap(FinalOf(learnt.tsp, at, j), domains[id].Of(j), sizes[j]), node.perm[j]);
    }
    if (node.IsLeaf()) continue;
    ASSERT_EQ(static_cast<int>(grown.split.feature), node.feature);
    ASSERT_EQ(ToInts(grown.split.left), node.left_raw);
    EXPECT_EQ(ToInts(nodes.left_set[id]), node.left_new);
    auto [left, right] = domains[id].Split(nodes.feature[id], nodes.left_set[id]);
    domains[node.left] = std::move(left);
    domains[node.right] = std::move(right);
  }
}

oracle::Rows Forward(const Tsp& tsp, const oracle::Rows& rows, const std::vector<Code>& sizes) {
  const CompiledTsp compiled(tsp, sizes);
  return MapRows(rows, sizes, [&](CodeBlock& block) { compiled.Forward(block); });
}

oracle::Rows Inverse(const Tsp& tsp, const oracle::Rows& rows, const std::vector<Code>& sizes) {
  const CompiledTsp compiled(tsp, sizes);
  return MapRows(rows, sizes, [&](CodeBlock& block) { compiled.Inverse(block); });
}

}  // namespace dtf
