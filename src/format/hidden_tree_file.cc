#include "format/hidden_tree_file.h"

#include <algorithm>
#include <numeric>

#include "format/write_autoregressive.h"

namespace dtf {
namespace {

std::vector<LogShare> ReadShares(const flatbuffers::Vector<std::uint8_t>* bytes, PayloadReader& reader) {
  const std::vector<std::uint32_t> numbers = reader.ReadNumbers(bytes, kMostLogShare);
  return {numbers.begin(), numbers.end()};
}

// The root first; after each column all that descend from it.
void CheckOrder(const HiddenTree& tree) {
  std::vector<std::uint32_t> path;  // from the root to the position before
  for (std::uint32_t t = 0; t < tree.parent.size(); ++t) {
    while (!path.empty() && path.back() != tree.parent[t]) path.pop_back();
    if (t == 0 ? tree.parent[t] != 0 : path.empty()) RefuseModel("its hidden tree is not in the order of a tree");
    path.push_back(t);
  }
}

}  // namespace

flatbuffers::Offset<file::HiddenTreeFlow> WriteHiddenTree(const HiddenTreeFlow& flow, PayloadWriter& writer) {
  const HiddenTree& tree = flow.tree();
  const auto order = writer.WriteNumbers(tree.order);
  const auto parent = writer.WriteNumbers(tree.parent);
  const auto root = writer.WriteNumbers(tree.root);
  const auto transitions = writer.WriteNumbers(tree.transitions);
  const auto categories = writer.WriteNumbers(tree.categories);
  const auto base = WriteConditionalBase(flow.base(), writer);
  writer.MakeRoom(0);
  return file::CreateHiddenTreeFlow(writer.builder(), static_cast<std::uint32_t>(tree.states), order, parent, root,
                                    transitions, categories, base);
}

HiddenTree ReadHiddenTree(const file::HiddenTreeFlow& flow, const std::vector<Code>& sizes, PayloadReader& reader) {
  HiddenTree tree{.states = flow.states(),
                  .order = reader.ReadNumbers(flow.order()),
                  .parent = reader.ReadNumbers(flow.parent()),
                  .root = ReadShares(flow.root(), reader),
                  .transitions = ReadShares(flow.transitions(), reader),
                  .categories = ReadShares(flow.categories(), reader)};
  CheckHiddenTree(tree, sizes);
  return tree;
}

void CheckHiddenTree(const HiddenTree& tree, const std::vector<Code>& sizes) {
  if (tree.states < 1 || tree.states > kMostStates) RefuseModel("its hidden tree has no states, or too many");
  std::vector<Feature> columns = tree.order;
  std::ranges::sort(columns);
  std::vector<Feature> all(sizes.size());
  std::iota(all.begin(), all.end(), Feature{0});
  if (columns != all) RefuseModel("its hidden tree has other columns than its schema");
  const std::size_t categories = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  if (tree.parent.size() != sizes.size() || tree.root.size() != tree.states ||
      tree.transitions.size() != (sizes.size() - 1) * tree.states * tree.states ||
      tree.categories.size() != categories * tree.states) {
    RefuseModel("its hidden tree's lists have other lengths than its states and categories");
  }
  const auto is_share = [](LogShare share) { return share <= kMostLogShare; };
  if (!std::ranges::all_of(tree.root, is_share) || !std::ranges::all_of(tree.transitions, is_share) ||
      !std::ranges::all_of(tree.categories, is_share)) {
    RefuseModel("its hidden tree has a share below 2^-32");
  }
  CheckOrder(tree);
}

}  // namespace dtf
