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
  Sources(set, top_, sources);
  return sources;
}

void Permutation::Sources(const CodeSet& set, std::span<const Code> top, std::vector<Code>& sources) {
  std::vector<Code> sorted_copy;
  std::span<const Code> sorted = top;
  if (!std::is_sorted(top.begin(), top.end())) {
    sorted_copy.assign(top.begin(), top.end());
    std::sort(sorted_copy.begin(), sorted_copy.end());
    sorted = sorted_copy;
  }
  sources.clear();
  auto next_top = sorted.begin();
  for (Code i = 0; i < set.size(); ++i) {
    const Code code = set.At(i);
    if (next_top != sorted.end() && *next_top == code) {
      ++next_top;
    } else {
      sources.push_back(code);
    }
  }
  sources.insert(sources.end(), top.begin(), top.end());
}

Code Permutation::Apply(const CodeSet& set, Code code) const {
  const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), code);
  const auto below = static_cast<Code>(found - sorted_.begin());
  if (found != sorted_.end() && *found == code)
    return set.At(set.size() - static_cast<Code>(top_.size()) + rank_of_[below]);
  return set.At(set.IndexOf(code) - below);
}

Code Permutation::Invert(const CodeSet& set, Code image) const {
  const Code kept = set.size() - static_cast<Code>(top_.size());
  const Code position = set.IndexOf(image);
  if (position >= kept) return top_[position - kept];
  // The position-th code outside the top. Before set.At(i) stand i - |{top codes below set.At(i)}| codes outside it;
  // the last i for which these are at most `position` is the one.
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
