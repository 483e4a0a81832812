#include "learn/questions/grow_tree.h"

#include <algorithm>
#include <utility>

#include "base/stop.h"
#include "count/compress_panels.h"

namespace dtf {

// The chosen tests' planes over some rows, packed for counting. A node shares it with descendants that have most of its
// rows.
struct TreeGrower::Panel {
  PlanePanels tests;
  const std::uint64_t* planes = nullptr;  // to be summed, over the same rows
  AlignedBuffer<std::uint64_t> own_planes;
  int users = 0;

  std::size_t words() const { return tests.words(); }
};

// A node that may be split, with its rows and their sums.
struct TreeGrower::OpenNode {
  std::size_t index = 0;  // among the nodes grown
  int depth = 0;
  Panel* panel = nullptr;
  std::size_t row_count = 0;
  AlignedBuffer<std::uint64_t> rows;  // of the panel's rows, those of the node
  AlignedBuffer<std::int32_t> first;  // sums of the rows that pass each test
  AlignedBuffer<std::int32_t> second;
  SplitChoice best;
};

class TreeGrower::Growth {
 public:
  Growth(TreeGrower& grower, std::span<const std::uint32_t> chosen, const SummedPlanes& summed, const SplitRule& rule,
         GrowthLimits limits)
      : grower_(grower), chosen_(chosen), summed_(summed), rule_(rule), limits_(limits) {}

  std::vector<QuestionNode> Run(PlaneMatrix tests, std::span<const std::uint64_t> rows) {
    Node root = MakeRoot(tests, rows);
    if (limits_.depth > 0 && limits_.leaves > 1 && rule_.MaySplit(nodes_[0].sums)) {
      SumTests(*root);
      Offer(std::move(root));
    } else {
      Discard(std::move(root));
    }
    int leaves = 1;
    while (!open_.empty() && leaves < limits_.leaves) {
      ThrowIfStopped();
      ++leaves;
      Split(TakeBest(), leaves < limits_.leaves);
    }
    for (Node& node : open_) Discard(std::move(node));
    return std::move(nodes_);
  }

 private:
  using Node = std::unique_ptr<OpenNode>;

  Node NewNode(Panel& panel) {
    auto& unused = grower_.unused_nodes_;
    Node node;
    if (unused.empty()) {
      node = std::make_unique<OpenNode>();
    } else {
      node = std::move(unused.back());
      unused.pop_back();
    }
    Use(panel, *node);
    node->rows.Resize(panel.words());
    const std::size_t lanes = panel.tests.panels() * PlanePanels::kLanes;
    node->first.Resize(lanes);
    node->second.Resize(lanes);
    return node;
  }

  void Discard(Node node) {
    Leave(*node);
    grower_.unused_nodes_.push_back(std::move(node));
  }

  static void Use(Panel& panel, OpenNode& node) {
    node.panel = &panel;
    ++panel.users;
  }

  void Leave(OpenNode& node) {
    Panel* panel = std::exchange(node.panel, nullptr);
    if (--panel->users == 0 && panel != grower_.panels_.front().get()) grower_.unused_panels_.push_back(panel);
  }

  Node MakeRoot(PlaneMatrix tests, std::span<const std::uint64_t> rows) {
    if (grower_.panels_.empty()) grower_.panels_.push_back(std::make_unique<Panel>());
    Panel& panel = *grower_.panels_.front();
    panel.tests.Reset(chosen_.size(), 1, tests.words);
    for (std::size_t p = 0; p < panel.tests.panels(); ++p) {
      const std::uint64_t* planes[PlanePanels::kLanes] = {};
      const std::size_t first = p * PlanePanels::kLanes;
      for (std::size_t i = 0; i < std::min(PlanePanels::kLanes, chosen_.size() - first); ++i) {
        planes[i] = tests[chosen_[first + i]];
      }
      panel.tests.Pack(p, 0, planes, nullptr);
    }
    panel.planes = summed_.first_plane;
    Node root = NewNode(panel);
    root->index = 0;
    root->depth = 0;
    std::copy(rows.begin(), rows.end(), root->rows.data());
    root->row_count = CountBoth(rows.data(), rows);
    nodes_.push_back({.sums = SumsOf(rows)});
    return root;
  }

  // Σ of each number over rows of the root.
  NodeSums SumsOf(std::span<const std::uint64_t> rows) const {
    std::uint32_t sums[2] = {};
    const std::uint64_t* plane = summed_.first_plane;
    for (int b = 0; b < summed_.first_bits; ++b, plane += summed_.words) {
      const std::uint32_t sum = CountBoth(plane, rows) << b;
      sums[0] += summed_.first_is_signed && b == summed_.first_bits - 1 ? 0 - sum : sum;
    }
    for (int b = 0; b < summed_.second_bits; ++b, plane += summed_.words) sums[1] += CountBoth(plane, rows) << b;
    return {static_cast<std::int32_t>(sums[0]), static_cast<std::int32_t>(sums[1])};
  }

  void SumTests(OpenNode& node) {
    const std::size_t words = node.panel->words();
    const std::uint64_t* rows = node.rows.data();
    std::uint64_t* masked = grower_.planes_.Resize(summed_.planes() * words);
    for (std::size_t p = 0; p < summed_.planes(); ++p) {
      const std::uint64_t* plane = node.panel->planes + p * words;
      for (std::size_t w = 0; w < words; ++w) masked[p * words + w] = plane[w] & rows[w];
    }
    SummedPlanes planes = summed_;
    planes.first_plane = masked;
    planes.words = words;
    SumPassing(node.panel->tests, planes, node.first.data(), node.second.data(), grower_.counts_);
  }

  // Keeps the node for later if there is a split worth making. REQUIRES: its tests are summed.
  void Offer(Node node) {
    node->best = rule_.FindBest(nodes_[node->index].sums, {node->first.data(), chosen_.size()},
                                {node->second.data(), chosen_.size()});
    if (!(node->best.gain > 0)) {
      Discard(std::move(node));
      return;
    }
    open_.push_back(std::move(node));
    if (BestFirst()) std::push_heap(open_.begin(), open_.end(), IsWorse);
  }

  bool BestFirst() const { return limits_.leaves != std::numeric_limits<int>::max(); }
  static bool IsWorse(const Node& a, const Node& b) {
    return a->best.gain != b->best.gain ? a->best.gain < b->best.gain : a->index > b->index;
  }

  Node TakeBest() {
    if (BestFirst()) std::pop_heap(open_.begin(), open_.end(), IsWorse);
    Node node = std::move(open_.back());
    open_.pop_back();
    return node;
  }

  void Split(Node parent, bool children_may_split) {
    const std::size_t test = parent->best.test;
    const NodeSums all = nodes_[parent->index].sums;
    const NodeSums pass = {parent->first.data()[test], parent->second.data()[test]};
    const NodeSums fail = {all.first - pass.first, all.second - pass.second};
    const auto pass_index = nodes_.size();
    nodes_[parent->index].test = chosen_[test];
    nodes_[parent->index].pass = static_cast<std::int32_t>(pass_index);
    nodes_[parent->index].fail = static_cast<std::int32_t>(pass_index + 1);
    nodes_.push_back({.sums = pass});
    nodes_.push_back({.sums = fail});
    const bool deeper = children_may_split && parent->depth + 1 < limits_.depth;
    const bool pass_may = deeper && rule_.MaySplit(pass);
    const bool fail_may = deeper && rule_.MaySplit(fail);
    if (pass_may || fail_may) {
      OfferChildren(std::move(parent), pass_index, pass_may, fail_may);
    } else {
      Discard(std::move(parent));
    }
  }

  // The smaller child is counted; the larger one's sums are what is left.
  void OfferChildren(Node parent, std::size_t pass_index, bool pass_may, bool fail_may) {
    if (FillsAtMost(*parent, 2)) Narrow(*parent);
    Node smaller = NewNode(*parent->panel);
    const std::size_t words = parent->panel->words();
    std::uint64_t* rows = parent->rows.data();
    std::uint64_t* smaller_rows = smaller->rows.data();
    const std::size_t passing = FindPassing(parent->panel->tests, parent->best.test, rows, smaller_rows);
    const bool pass_is_smaller = 2 * passing <= parent->row_count;
    for (std::size_t w = 0; w < words; ++w) rows[w] &= ~smaller_rows[w];
    if (!pass_is_smaller) std::swap(parent->rows, smaller->rows);
    smaller->row_count = std::min(passing, parent->row_count - passing);
    smaller->depth = parent->depth + 1;
    smaller->index = pass_index + (pass_is_smaller ? 0 : 1);
    const bool smaller_may = pass_is_smaller ? pass_may : fail_may;
    if (smaller_may && FillsAtMost(*smaller, 4)) Narrow(*smaller);
    SumTests(*smaller);
    Node larger = std::move(parent);
    if (pass_is_smaller ? fail_may : pass_may) {
      larger->row_count -= smaller->row_count;
      larger->depth = smaller->depth;
      larger->index = pass_index + (pass_is_smaller ? 1 : 0);
      Subtract(*smaller, *larger);
      Offer(std::move(larger));
    } else {
      Discard(std::move(larger));
    }
    if (smaller_may) {
      Offer(std::move(smaller));
    } else {
      Discard(std::move(smaller));
    }
  }

  void Subtract(const OpenNode& part, OpenNode& node) const {
    for (std::size_t t = 0; t < chosen_.size(); ++t) node.first.data()[t] -= part.first.data()[t];
    for (std::size_t t = 0; t < chosen_.size(); ++t) node.second.data()[t] -= part.second.data()[t];
  }

  // Whether the node's rows would fill at most 1 / `share` of its panel's words.
  static bool FillsAtMost(const OpenNode& node, std::size_t share) {
    return share * PlaneWords(node.row_count) <= node.panel->words();
  }

  Panel& UnusedPanel() {
    auto& unused = grower_.unused_panels_;
    if (unused.empty()) return *grower_.panels_.emplace_back(std::make_unique<Panel>());
    Panel& panel = *unused.back();
    unused.pop_back();
    return panel;
  }

  // Gives the node a panel of its own, without other nodes' rows.
  void Narrow(OpenNode& node) {
    const Panel& from = *node.panel;
    Panel& to = UnusedPanel();
    const std::span<const std::uint64_t> rows(node.rows.data(), from.words());
    CompressPanels(from.tests, rows, to.tests);
    const std::size_t words = to.words();
    std::uint64_t* planes = to.own_planes.Resize(summed_.planes() * words);
    CompressPlanes({from.planes, summed_.planes(), from.words()}, rows, planes);
    to.planes = planes;
    Leave(node);
    Use(to, node);
    std::fill_n(node.rows.data(), words, ~std::uint64_t{0});
    if (node.row_count % 64 != 0) node.rows.data()[words - 1] = (std::uint64_t{1} << (node.row_count % 64)) - 1;
  }

  TreeGrower& grower_;
  std::span<const std::uint32_t> chosen_;
  SummedPlanes summed_;
  const SplitRule& rule_;
  GrowthLimits limits_;
  std::vector<QuestionNode> nodes_;
  std::vector<Node> open_;  // a heap, or a stack
};

SplitChoice SplitRule::FindBest(NodeSums node, std::span<const std::int32_t> first,
                                std::span<const std::int32_t> second) const {
  std::vector<float> gains(first.size());
  FindGains(node, first, second, gains);
  const auto best = std::max_element(gains.begin(), gains.end());
  if (best == gains.end() || !(*best > 0)) return {};
  return {static_cast<std::size_t>(best - gains.begin()), *best};
}

TreeGrower::TreeGrower() = default;
TreeGrower::~TreeGrower() = default;

std::vector<QuestionNode> TreeGrower::Grow(PlaneMatrix tests, std::span<const std::uint32_t> chosen,
                                           const SummedPlanes& summed, std::span<const std::uint64_t> rows,
                                           const SplitRule& rule, GrowthLimits limits) {
  return Growth(*this, chosen, summed, rule, limits).Run(tests, rows);
}

LogitTree ShapeOf(std::span<const QuestionNode> nodes) {
  LogitTree tree;
  std::vector<std::int32_t> names(nodes.size());  // as LogitTree names children
  std::int32_t inner = 0;
  std::int32_t leaves = 0;
  tree.nodes.reserve(nodes.size() / 2);
  for (std::size_t i = 0; i < nodes.size(); ++i) names[i] = nodes[i].pass < 0 ? -1 - leaves++ : inner++;
  for (const QuestionNode& node : nodes) {
    if (node.pass < 0) continue;
    tree.nodes.push_back(
        {node.test, names[static_cast<std::size_t>(node.pass)], names[static_cast<std::size_t>(node.fail)]});
  }
  tree.leaves.assign(static_cast<std::size_t>(leaves), 0);
  return tree;
}

}  // namespace dtf
