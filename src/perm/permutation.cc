#include "perm/permutation.h"

#include <algorithm>
#include <numeric>

namespace dtf {

Permutation::Permutation(std::span<const Code> top) : top_(top.begin(), top.end()), rank_of_(top.size()) {
  std::iota(rank_of_.begin(), rank_of_.end(), Code{0});
  std::sort(rank_of_.begin(), rank_of_.end(), [this](Code a, Code b) { return top_[a] < top_[b]; });
  sorted_.reserve(top_.size());
  for (const Code rank : rank_of_) sorted_.push_back(top_[rank]);
}

Permutation Permutation::FromOrder(const CodeSet& set, std::span<const Code> sources) {
  // The sources ascend as long as they can stay outside the top.
  std::size_t kept = 0;
  while (kept < sources.size() && (kept == 0 || sources[kept - 1] < sources[kept])) ++kept;
  if (kept == set.size()) return {};
  return Permutation(sources.subspan(kept));
}

Permutation Permutation::Sorting(const CodeSet& set, std::span<const std::uint64_t> counts) {
  std::vector<Code> order(counts.size());
  std::iota(order.begin(), order.end(), Code{0});
  const auto less = [&](Code a, Code b) { return counts[a] < counts[b]; };
  if (std::is_sorted(order.begin(), order.end(), less)) return {};
  std::stable_sort(order.begin(), order.end(), less);
  for (Code& position : order) position = set.At(position);
  return FromOrder(set, order);
}

std::vector<Code> Permutation::Sources(const CodeSet& set) const {
  std::vector<Code> sources;
  sources.reserve(set.size());
  auto next_top = sorted_.begin();
  for (Code i = 0; i < set.size(); ++i) {
    if (next_top != sorted_.end() && *next_top == set.At(i)) {
      ++next_top;
    } else {
      sources.push_back(set.At(i));
    }
  }
  sources.insert(sources.end(), top_.begin(), top_.end());
  return sources;
}

Code Permutation::Apply(const CodeSet& set, Code code) const {
  const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), code);
  const auto below = static_cast<Code>(found - sorted_.begin());
  if (found != sorted_.end() && *found == code) return set.At(set.size() - static_cast<Code>(top_.size()) + rank_of_[below]);
  return set.At(set.IndexOf(code) - below);
}

Code Permutation::Invert(const CodeSet& set, Code image) const {
  const Code kept = set.size() - static_cast<Code>(top_.size());
  const Code position = set.IndexOf(image);
  if (position >= kept) return top_[position - kept];
  // The position-th code outside the top. Before set.At(i) stand i - |{top codes below set.At(i)}| codes outside it; the
  // last i for which these are at most `position` is the one.
  Code low = position;
  Code high = set.size();
  while (low + 1 < high) {
    const Code middle = low + (high - low) / 2;
    const auto below = std::lower_bound(sorted_.begin(), sorted_.end(), set.At(middle)) - sorted_.begin();
    (middle - static_cast<Code>(below) <= position ? low : high) = middle;
  }
  return set.At(low);
}

}  // namespace dtf
