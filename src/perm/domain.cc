#include "perm/domain.h"

#include <algorithm>
#include <iterator>

namespace dtf {

Code CodeSet::IndexOf(Code code) const {
  const auto found = std::lower_bound(list_->begin(), list_->end(), code);
  const auto below = static_cast<Code>(found - list_->begin());
  const bool is_listed = found != list_->end() && *found == code;
  if (kind_ == Kind::kListed) return is_listed ? below : size_;
  return is_listed ? size_ : std::min(code - below, size_);
}

Code CodeSet::AtBetweenGaps(Code i) const {
  // Before gap g, the left-out code list[g], stand list[g] - g codes of the set. The code sought stands after all gaps
  // before which there are at most i.
  std::size_t low = 0;
  std::size_t high = list_->size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if ((*list_)[middle] - middle <= i) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return i + static_cast<Code>(low);
}

std::vector<Code> CodeSet::Codes() const {
  if (kind_ == Kind::kListed) return *list_;
  std::vector<Code> codes;
  codes.reserve(size_);
  auto gap = list_->begin();
  for (Code code = 0; codes.size() < size_; ++code) {
    if (gap != list_->end() && *gap == code) {
      ++gap;
    } else {
      codes.push_back(code);
    }
  }
  return codes;
}

std::pair<CodeSet, CodeSet> CodeSet::Split(std::span<const Code> subset) const {
  std::vector<Code> in;
  std::copy_if(subset.begin(), subset.end(), std::back_inserter(in), [this](Code code) { return Contains(code); });
  std::vector<Code> list;
  if (kind_ == Kind::kListed) {
    std::set_difference(list_->begin(), list_->end(), in.begin(), in.end(), std::back_inserter(list));
  } else {
    std::merge(list_->begin(), list_->end(), in.begin(), in.end(), std::back_inserter(list));
  }
  const Code rest = size_ - static_cast<Code>(in.size());
  return {Listed(std::move(in)), CodeSet(kind_, rest, std::move(list))};
}

std::pair<Domain, Domain> Domain::Split(Feature feature, std::span<const Code> left) const {
  auto [in, out] = Of(feature).Split(left);
  std::pair<Domain, Domain> children(*this, *this);
  children.first.narrowed_.insert_or_assign(feature, std::move(in));
  children.second.narrowed_.insert_or_assign(feature, std::move(out));
  return children;
}

}  // namespace dtf
