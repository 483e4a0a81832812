#include "tree/tsp.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "dtf/error.h"

namespace dtf {
namespace {

class Checker {
 public:
  Checker(const TspNodes& nodes, const std::vector<Code>& sizes) : nodes_(nodes), sizes_(sizes) {}

  void Check() {
    CheckShape();
    std::vector<Pending> open;
    open.push_back({0, 0, Domain(sizes_)});
    std::size_t reached = 0;
    while (!open.empty()) {
      const Pending at = std::move(open.back());
      open.pop_back();
      ++reached;
      node_ = at.node;
      CheckPermutations(at.domain);
      Require((nodes_.left[node_] == kNoChild) == (nodes_.right[node_] == kNoChild), "has one child only");
      if (nodes_.left[node_] == kNoChild) {
        Require(nodes_.left_set[node_].empty(), "is a leaf with a left set");
        continue;
      }
      Require(at.depth < kMaxTreeDepth, "lies deeper than 255 splits");
      static_assert(kMaxTreeDepth == 255);
      CheckSplit(at.domain);
      auto [left, right] = at.domain.Split(nodes_.feature[node_], nodes_.left_set[node_]);
      open.push_back({nodes_.left[node_], at.depth + 1, std::move(left)});
      open.push_back({nodes_.right[node_], at.depth + 1, std::move(right)});
    }
    if (reached != nodes_.left.size()) Fail("the tree has nodes that no split leads to");
  }

 private:
  struct Pending {
    std::int32_t node;
    int depth;
    Domain domain;
  };

  void CheckShape() const {
    const std::size_t size = nodes_.left.size();
    if (size == 0 || size > std::size_t{1} << 30) Fail("a tree needs 1 to 2^30 nodes");
    if (nodes_.right.size() != size || nodes_.feature.size() != size || nodes_.left_set.size() != size ||
        nodes_.moved.size() != size || nodes_.top.size() != nodes_.moved.values().size()) {
      Fail("the tree's arrays differ in length");
    }
    std::vector<bool> has_parent(size, false);
    for (const auto* children : {&nodes_.left, &nodes_.right}) {
      for (std::size_t node = 0; node < size; ++node) {
        const std::int32_t child = (*children)[node];
        if (child == kNoChild) continue;
        if (child <= static_cast<std::int64_t>(node) || child >= static_cast<std::int64_t>(size) || has_parent[child]) {
          Fail("node " + std::to_string(node) + " has the child " + std::to_string(child) +
               ", which is not a later node without another parent");
        }
        has_parent[child] = true;
      }
    }
  }

  void CheckPermutations(const Domain& domain) const {
    const auto moved = nodes_.moved[node_];
    for (std::size_t i = 0; i < moved.size(); ++i) {
      Require(moved[i] < sizes_.size(), "permutes a column that is not there");
      Require(i == 0 || moved[i - 1] < moved[i], "lists its permuted columns out of order");
      const auto top = nodes_.top[nodes_.moved.Begin(node_) + i];
      const CodeSet set = domain.Of(moved[i]);
      Require(!top.empty() && std::all_of(top.begin(), top.end(), [&](Code code) { return set.Contains(code); }) &&
                  AllDiffer(top),
              "has a permutation that does not map its domain onto itself");
    }
  }

  static bool AllDiffer(std::span<const Code> codes) {
    if (codes.size() == 1) return true;
    std::vector<Code> sorted(codes.begin(), codes.end());
    std::sort(sorted.begin(), sorted.end());
    return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  }

  void CheckSplit(const Domain& domain) const {
    const Feature feature = nodes_.feature[node_];
    Require(feature < sizes_.size(), "splits on a column that is not there");
    const CodeSet set = domain.Of(feature);
    const auto left = nodes_.left_set[node_];
    Require(std::adjacent_find(left.begin(), left.end(), std::greater_equal<>()) == left.end(),
            "has a left set out of order");
    Require(!left.empty() && left.size() < set.size() &&
                std::all_of(left.begin(), left.end(), [&](Code code) { return set.Contains(code); }),
            "has a left set that is not a proper part of its domain");
  }

  void Require(bool condition, std::string_view what) const {
    if (!condition) Fail("node " + std::to_string(node_) + " " + std::string(what));
  }
  [[noreturn]] static void Fail(const std::string& what) { throw Error(ErrorKind::kModelFile, what); }

  const TspNodes& nodes_;
  const std::vector<Code>& sizes_;
  std::int32_t node_ = 0;
};

}  // namespace

Tsp Tsp::Make(TspNodes nodes, const std::vector<Code>& sizes) {
  Checker(nodes, sizes).Check();
  return Tsp(std::move(nodes));
}

}  // namespace dtf
