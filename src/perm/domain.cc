#include "perm/domain.h"

#include <algorithm>

namespace dtf {

Code CodeSet::IndexOf(Code code) const {
  if (!listed_) return std::min(code, size_);
  const auto found = std::lower_bound(listed_->begin(), listed_->end(), code);
  return found != listed_->end() && *found == code ? static_cast<Code>(found - listed_->begin()) : size_;
}

std::pair<CodeSet, CodeSet> CodeSet::Split(std::span<const Code> subset) const {
  std::vector<Code> in;
  std::vector<Code> out;
  for (Code i = 0; i < size_; ++i) {
    const Code code = At(i);
    (std::binary_search(subset.begin(), subset.end(), code) ? in : out).push_back(code);
  }
  return {Listed(std::move(in)), Listed(std::move(out))};
}

std::pair<Domain, Domain> Domain::Split(Feature feature, std::span<const Code> left) const {
  auto [in, out] = Of(feature).Split(left);
  std::pair<Domain, Domain> children(*this, *this);
  children.first.narrowed_.insert_or_assign(feature, std::move(in));
  children.second.narrowed_.insert_or_assign(feature, std::move(out));
  return children;
}

}  // namespace dtf
