#include "flow/leaf_base.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "base/exponential.h"
#include "base/logarithm.h"
#include "base/random.h"
#include "flow/answer_draws.h"

namespace dtf {
namespace {

// What is left of a mass after subtraction, and is less than this of it, may be nothing but rounding.
constexpr double kLeastRest = 0x1p-40;

using NodeLists = Ragged<CodeCount>;  // of one node, by column

std::vector<CodeCount> Merge(std::span<const CodeCount> a, std::span<const CodeCount> b) {
  std::vector<CodeCount> merged;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(merged),
             [](const CodeCount& x, const CodeCount& y) { return x.code < y.code; });
  std::size_t size = 0;
  for (const CodeCount& next : merged) {
    if (size > 0 && merged[size - 1].code == next.code) {
      merged[size - 1].count += next.count;
    } else {
      merged[size++] = next;
    }
  }
  merged.resize(size);
  return merged;
}

// Counts of every node: a leaf's own, or its children's together.
std::vector<NodeLists> CountNodes(const Tsp& tree, const Ragged<CodeCount>& of_leaves, std::size_t columns) {
  std::vector<NodeLists> counts(tree.size());
  std::size_t end = of_leaves.size();
  for (std::int32_t node = tree.size() - 1; node >= 0; --node) {
    if (tree.is_leaf(node)) {
      end -= columns;
      for (std::size_t j = 0; j < columns; ++j) counts[node].Append(of_leaves[end + j]);
      continue;
    }
    const NodeLists& left = counts[tree.nodes().left[node]];
    const NodeLists& right = counts[tree.nodes().right[node]];
    for (std::size_t j = 0; j < columns; ++j) counts[node].Append(Merge(left[j], right[j]));
  }
  return counts;
}

Ragged<std::uint64_t> Spread(const NodeLists& counts, const std::vector<Code>& sizes) {
  Ragged<std::uint64_t> spread;
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    std::vector<std::uint64_t> of_column(sizes[j], 0);
    for (const CodeCount& code : counts[j]) of_column[code.code] = code.count;
    spread.Append(of_column);
  }
  return spread;
}

std::uint64_t SumOf(std::span<const CodeCount> counts) {
  std::uint64_t sum = 0;
  for (const CodeCount& code : counts) sum += code.count;
  return sum;
}

}  // namespace

LeafBase::LeafBase(const Tsp& last, const std::vector<Code>& sizes, Ragged<CodeCount> counts, double unit, double alpha,
                   double prior_rows, bool closed)
    : LeafBase(last, sizes, CountNodes(last, counts, sizes.size()), std::move(counts), unit, alpha, prior_rows,
               closed) {}

LeafBase::LeafBase(const Tsp& last, const std::vector<Code>& sizes, const std::vector<Ragged<CodeCount>>& of_nodes,
                   Ragged<CodeCount>&& counts, double unit, double alpha, double prior_rows, bool closed)
    : counts_(std::move(counts)),
      prior_rows_(prior_rows),
      root_(Spread(of_nodes[0], sizes), unit, alpha, closed),
      nodes_(of_nodes.size()) {
  for (Feature j = 0; j < sizes.size(); ++j) seen_mass_.push_back(1 - Exp(root_.LogProb(j, sizes[j])));
  const TspNodes& nodes = last.nodes();
  for (std::int32_t node = 0; node < last.size(); ++node) {
    if (node > 0) AddEntries(node, of_nodes[node]);
    if (last.is_leaf(node)) continue;
    Node& left = nodes_[nodes.left[node]];
    Node& right = nodes_[nodes.right[node]];
    const Feature split = nodes.feature[node];
    double goes_left = 0;
    for (const Code code : nodes.left_set[node]) goes_left += Exp(LogProb(node, split, code));
    for (Node* child : {&left, &right}) {
      child->parent = node;
      child->mass = nodes_[node].mass;
    }
    left.mass[split] = goes_left;
    const double rest = MassOf(node, split) - goes_left;
    right.mass[split] = rest > kLeastRest * MassOf(node, split) ? rest : 0;
  }
  ListLeaves(last, sizes);
}

double LeafBase::MassOf(std::int32_t node, Feature j) const {
  const auto found = nodes_[node].mass.find(j);
  return found == nodes_[node].mass.end() ? seen_mass_[j] : found->second;
}

// With shares q_{N,j} = (product of the branches on j down to N) · Q_{N,j}, the recursion of the header is
//   q_{c,j}(a) = (mass_{c,j} · count_{c,j}(a) + prior_rows · q_{N,j}(a)) / (n_c + prior_rows),
// mass_{c,j} being the sum of q_{N,j} over the child's domain.
void LeafBase::AddEntries(std::int32_t child, const Ragged<CodeCount>& counts) {
  Node& node = nodes_[child];
  const double rows = root_.unit() * static_cast<double>(SumOf(counts[0]));
  node.log_rest = std::min(0.0, Ln(prior_rows_ / (rows + prior_rows_)));
  std::vector<Entry> entries;
  for (Feature j = 0; j < counts.size(); ++j) {
    const double mass = MassOf(child, j);
    entries.clear();
    for (const auto [code, count] : counts[j]) {
      const double seen = mass * root_.unit() * static_cast<double>(count);
      const double prior = prior_rows_ * Exp(LogProb(node.parent, j, code));
      entries.push_back({code, std::min(0.0, Ln((seen + prior) / (rows + prior_rows_)))});
    }
    entries_.Append(entries);
  }
}

void LeafBase::ListLeaves(const Tsp& last, const std::vector<Code>& sizes) {
  std::vector<Domain> domains(last.size(), Domain(sizes));
  double end = 0;
  for (std::int32_t node = 0; node < last.size(); ++node) {
    if (!last.is_leaf(node)) {
      const TspNodes& nodes = last.nodes();
      std::tie(domains[nodes.left[node]], domains[nodes.right[node]]) =
          domains[node].Split(nodes.feature[node], nodes.left_set[node]);
      continue;
    }
    double share = 1;
    for (const auto& [j, mass] : nodes_[node].mass) share *= mass / seen_mass_[j];
    end += share;
    leaves_.push_back({node, end, domains[node].narrowed()});
  }
}

double LeafBase::LogProb(std::int32_t leaf, Feature j, Code code) const {
  double rest = 0;
  if (code < root_.counts()[j].size()) {
    for (std::int32_t node = leaf; node > 0; node = nodes_[node].parent) {
      const auto entries = entries_[static_cast<std::size_t>(node - 1) * columns() + j];
      const auto found = std::lower_bound(entries.begin(), entries.end(), code,
                                          [](const Entry& entry, Code other) { return entry.code < other; });
      if (found != entries.end() && found->code == code) return found->log_prob + rest;
      rest += nodes_[node].log_rest;
    }
  }
  return root_.LogProb(j, code) + rest;
}

double LeafBase::MeanNll() const {
  double nll = 0;
  std::uint64_t rows = 0;
  for (std::size_t l = 0; l < leaves_.size(); ++l) {
    rows += SumOf(counts_[l * columns()]);
    for (Feature j = 0; j < columns(); ++j) {
      for (const auto [code, count] : counts_[l * columns() + j]) {
        nll -= static_cast<double>(count) * LogProb(leaves_[l].node, j, code);
      }
    }
  }
  return rows == 0 ? 0 : nll / static_cast<double>(rows);
}

void LeafBase::SampleRows(std::uint64_t seed, std::span<const std::uint64_t> numbers, CodeBlock& block) const {
  std::vector<RandomStream> random;
  std::vector<std::vector<std::size_t>> rows_of(leaves_.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    random.emplace_back(seed, RandomPurpose::kSample, numbers[i], kLeafStream);
    const double place = random.back().Uniform() * leaves_.back().end;
    const auto leaf =
        std::partition_point(leaves_.begin(), leaves_.end() - 1, [&](const Leaf& one) { return one.end <= place; });
    rows_of[leaf - leaves_.begin()].push_back(i);
  }
  for (std::size_t l = 0; l < leaves_.size(); ++l) {
    if (rows_of[l].empty()) continue;
    for (Feature j = 0; j < columns(); ++j) {
      const LeafCodes codes = CodesOf(leaves_[l], j);
      for (const std::size_t i : rows_of[l]) block[j][i] = codes.Draw(random[i].Uniform());
    }
  }
}

LeafBase::LeafCodes LeafBase::CodesOf(const Leaf& leaf, Feature j) const {
  const auto narrowed = leaf.narrowed.find(j);
  const CodeSet all =
      narrowed == leaf.narrowed.end() ? CodeSet::All(static_cast<Code>(root_.counts()[j].size())) : narrowed->second;
  LeafCodes codes;
  double end = 0;
  for (const Code code : all.Codes()) {
    const double share = Exp(LogProb(leaf.node, j, code));
    if (share == 0) continue;
    codes.codes.push_back(code);
    codes.ends.push_back(end += share);
  }
  return codes;
}

Code LeafBase::LeafCodes::Draw(double uniform) const {
  const auto found = std::upper_bound(ends.begin(), ends.end() - 1, uniform * ends.back());
  return codes[found - ends.begin()];
}

}  // namespace dtf
