#include "tree/compiled_tsp.h"

#include <algorithm>
#include <map>
#include <utility>

namespace dtf {

// Walks the tree depth first, holding for each feature the permutations met on the path from the root.
class CompiledTsp::Compiler {
 public:
  Compiler(const Tsp& tsp, const std::vector<Code>& sizes, CompiledTsp& out) : tsp_(tsp), sizes_(sizes), out_(out) {
    out_.forward_route_.nodes.resize(tsp.size());
    out_.inverse_route_.nodes.resize(tsp.size());
  }

  void Visit(std::int32_t node, int depth, const Domain& domain) {
    for (Route* route : {&out_.forward_route_, &out_.inverse_route_}) route->depth = std::max(route->depth, depth);
    if (tsp_.is_leaf(node)) {
      VisitLeaf(node, domain);
      return;
    }
    const auto moved = tsp_.moved(node);
    for (std::size_t i = 0; i < moved.size(); ++i) path_[moved[i]].push_back(StepAt(node, i, domain));
    VisitSplit(node, depth, domain);
    for (const Feature feature : moved) {
      Chain& chain = path_[feature];
      chain.pop_back();
      if (chain.empty()) path_.erase(feature);
    }
  }

 private:
  void VisitSplit(std::int32_t node, int depth, const Domain& domain) {
    const TspNodes& nodes = tsp_.nodes();
    const Feature feature = nodes.feature[node];
    const auto left_set = nodes.left_set[node];
    std::vector<Code> raw_left(left_set.begin(), left_set.end());
    if (const auto found = path_.find(feature); found != path_.end()) Invert(found->second, raw_left);
    SetRoute(out_.forward_route_, node, raw_left);
    SetRoute(out_.inverse_route_, node, left_set);
    const auto [left, right] = domain.Split(feature, left_set);
    Visit(nodes.left[node], depth + 1, left);
    Visit(nodes.right[node], depth + 1, right);
  }

  void SetRoute(Route& route, std::int32_t node, std::span<const Code> left_set) {
    const TspNodes& nodes = tsp_.nodes();
    RouteNode& to = route.nodes[node];
    to = {.feature = nodes.feature[node],
          .value = left_set[0],
          .children = {nodes.right[node], nodes.left[node]},
          .set = -1,
          .leaf = 0};
    if (left_set.size() == 1) return;
    to.set = static_cast<std::int32_t>(route.sets.size());
    std::vector<bool>& members = route.sets.emplace_back(sizes_[to.feature] + 1);
    for (const Code code : left_set) members[code] = true;
  }

  std::shared_ptr<const Step> StepAt(std::int32_t node, std::size_t i, const Domain& domain) const {
    return std::make_shared<Step>(Step{domain.Of(tsp_.moved(node)[i]), tsp_.permutation(node, i)});
  }

  void VisitLeaf(std::int32_t node, const Domain& domain) {
    const std::uint32_t leaf = leaves_++;
    for (Route* route : {&out_.forward_route_, &out_.inverse_route_}) {
      route->nodes[node].children = {node, node};
      route->nodes[node].leaf = leaf;
    }
    const auto moved = tsp_.moved(node);
    for (std::size_t i = 0; i < moved.size(); ++i) {
      const auto found = path_.find(moved[i]);
      const Chain above = found == path_.end() ? Chain() : found->second;
      if (sizes_[moved[i]] > kMostDenseCategories) {
        Chain& chain = SparseOf(moved[i]).leaves[leaf] = above;
        chain.push_back(StepAt(node, i, domain));
      } else {
        const CodeSet images = domain.Of(moved[i]);
        Permutation::Sources(images, tsp_.nodes().top[tsp_.nodes().moved.Begin(node) + i], sources_);
        FillTable(leaf, moved[i], images, above);
      }
    }
    for (const auto& [feature, chain] : path_) {
      if (std::binary_search(moved.begin(), moved.end(), feature)) continue;
      if (sizes_[feature] > kMostDenseCategories) {
        SparseOf(feature).leaves[leaf] = chain;
      } else {
        const CodeSet images = domain.Of(feature);
        Permutation::Sources(images, {}, sources_);
        FillTable(leaf, feature, images, chain);
      }
    }
  }

  // Notes that the leaf maps sources_[r], taken back through the permutations above, to the r-th of `images`.
  void FillTable(std::uint32_t leaf, Feature feature, const CodeSet& images, const Chain& above) {
    Invert(above, sources_);
    Table& table = TableOf(feature);
    const std::size_t begin = table.forward.size();
    table.map_of[leaf] = static_cast<std::uint32_t>(begin / table.stride);
    AppendIdentity(table);
    for (Code r = 0; r < images.size(); ++r) {
      const Code image = images.At(r);
      table.forward[begin + sources_[r]] = static_cast<std::uint8_t>(image);
      table.inverse[begin + image] = static_cast<std::uint8_t>(sources_[r]);
    }
  }

  static void AppendIdentity(Table& table) {
    for (std::vector<std::uint8_t>* entries : {&table.forward, &table.inverse}) {
      for (Code code = 0; code < table.stride; ++code) entries->push_back(static_cast<std::uint8_t>(code));
    }
  }

  static void Invert(const Chain& chain, std::vector<Code>& codes) {
    for (auto step = chain.rbegin(); step != chain.rend(); ++step) {
      for (Code& code : codes) code = (*step)->permutation.Invert((*step)->set, code);
    }
  }

  Table& TableOf(Feature feature) {
    const auto [found, is_new] = table_of_.try_emplace(feature, out_.tables_.size());
    if (is_new) {
      Table& table = out_.tables_.emplace_back(
          Table{.feature = feature, .stride = sizes_[feature] + 1, .map_of = {}, .forward = {}, .inverse = {}});
      table.map_of.assign(tsp_.leaves(), 0);
      AppendIdentity(table);
    }
    return out_.tables_[found->second];
  }

  SparseTable& SparseOf(Feature feature) {
    const auto [found, is_new] = sparse_of_.try_emplace(feature, out_.sparse_tables_.size());
    if (is_new) {
      out_.sparse_tables_.push_back({.feature = feature, .size = sizes_[feature], .leaves = {}});
      out_.sparse_tables_.back().leaves.resize(tsp_.leaves());
    }
    return out_.sparse_tables_[found->second];
  }

  const Tsp& tsp_;
  const std::vector<Code>& sizes_;
  CompiledTsp& out_;
  std::map<Feature, Chain> path_;
  std::map<Feature, std::size_t> table_of_;
  std::map<Feature, std::size_t> sparse_of_;
  std::uint32_t leaves_ = 0;
  std::vector<Code> sources_;
};

CompiledTsp::CompiledTsp(const Tsp& tsp, const std::vector<Code>& sizes) {
  Compiler(tsp, sizes, *this).Visit(0, 0, Domain(sizes));
}

std::vector<Code> CompiledTsp::RawLeftSet(std::int32_t node) const {
  const RouteNode& at = forward_route_.nodes[node];
  if (at.set < 0) return {at.value};
  std::vector<Code> codes;
  const std::vector<bool>& members = forward_route_.sets[at.set];
  for (Code code = 0; code < members.size(); ++code) {
    if (members[code]) codes.push_back(code);
  }
  return codes;
}

Code CompiledTsp::SparseTable::Forward(std::uint32_t leaf, Code code) const {
  if (code == size) return code;
  for (const auto& step : leaves[leaf]) code = step->permutation.Apply(step->set, code);
  return code;
}

Code CompiledTsp::SparseTable::Inverse(std::uint32_t leaf, Code code) const {
  if (code == size) return code;
  for (auto step = leaves[leaf].rbegin(); step != leaves[leaf].rend(); ++step) {
    code = (*step)->permutation.Invert((*step)->set, code);
  }
  return code;
}

template <bool kHasSets>
void CompiledTsp::Walk(const CodeBlock& block, const Route& route, std::span<std::int32_t> node_of) {
  // So many rows walk side by side: no step waits for the one before it, no branch depends on a code.
  constexpr std::size_t kTogether = 64;
  const RouteNode* nodes = route.nodes.data();
  for (std::size_t first = 0; first < block.rows(); first += kTogether) {
    const std::span at = node_of.subspan(first, std::min(kTogether, block.rows() - first));
    for (int level = 0; level < route.depth; ++level) {
      for (std::size_t i = 0; i < at.size(); ++i) {
        const RouteNode& node = nodes[at[i]];
        const Code code = block[node.feature][first + i];
        bool left = code == node.value;
        if (kHasSets && node.set >= 0) left = route.sets[node.set][code];
        at[i] = node.children[left];
      }
    }
  }
}

std::vector<std::int32_t> CompiledTsp::FindNodes(const CodeBlock& block, const Route& route) {
  std::vector<std::int32_t> node_of(block.rows(), 0);
  (route.sets.empty() ? Walk<false> : Walk<true>)(block, route, node_of);
  return node_of;
}

std::vector<std::int32_t> CompiledTsp::LeavesOfImages(const CodeBlock& images) const {
  return FindNodes(images, inverse_route_);
}

void CompiledTsp::Apply(CodeBlock& block, const Route& route, std::vector<std::uint8_t> Table::*dense,
                        Code (SparseTable::*sparse)(std::uint32_t, Code) const) const {
  const std::vector<std::int32_t> node_of = FindNodes(block, route);
  std::vector<std::uint32_t> leaf_of(block.rows());
  for (std::size_t i = 0; i < leaf_of.size(); ++i) leaf_of[i] = route.nodes[node_of[i]].leaf;
  for (const Table& table : tables_) {
    const std::uint8_t* entries = (table.*dense).data();
    const std::span<Code> codes = block[table.feature];
    for (std::size_t i = 0; i < codes.size(); ++i) {
      codes[i] = entries[std::size_t{table.map_of[leaf_of[i]]} * table.stride + codes[i]];
    }
  }
  for (const SparseTable& table : sparse_tables_) {
    const std::span<Code> codes = block[table.feature];
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = (table.*sparse)(leaf_of[i], codes[i]);
  }
}

}  // namespace dtf
