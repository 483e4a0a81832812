// The domain of a node: a product of sets of codes, one for each feature (paper section 3). Only features that have
// been split on are narrower than the whole table's, so only those are kept.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "dtf/table.h"

namespace dtf {

using Feature = std::uint32_t;  // position of a column in the table, 0-based

// A set of codes of one feature: a list of codes, or all of {0, …, k - 1} but a list. Splits take few codes from many,
// so a set is as small as the splits that made it.
class CodeSet {
 public:
  static CodeSet All(Code size) { return CodeSet(Kind::kAllBut, size, {}); }
  // REQUIRES: `codes` ascend strictly.
  static CodeSet Listed(std::vector<Code> codes) {
    const auto size = static_cast<Code>(codes.size());
    return CodeSet(Kind::kListed, size, std::move(codes));
  }

  Code size() const { return size_; }
  // The code at position i, in ascending order. REQUIRES: i < size().
  Code At(Code i) const { return kind_ == Kind::kListed ? (*list_)[i] : list_->empty() ? i : AtBetweenGaps(i); }
  // The position of `code`, or size() when it is not in the set.
  Code IndexOf(Code code) const;
  bool Contains(Code code) const { return IndexOf(code) < size_; }
  // All codes, ascending.
  std::vector<Code> Codes() const;

  // The codes of this set that are in `subset`, and those that are not. REQUIRES: `subset` ascends.
  std::pair<CodeSet, CodeSet> Split(std::span<const Code> subset) const;

 private:
  enum class Kind { kListed, kAllBut };

  CodeSet(Kind kind, Code size, std::vector<Code> list)
      : kind_(kind), size_(size), list_(std::make_shared<const std::vector<Code>>(std::move(list))) {}

  Code AtBetweenGaps(Code i) const;

  Kind kind_;
  Code size_;
  std::shared_ptr<const std::vector<Code>> list_;  // the codes, or those left out; ascending
};

class Domain {
 public:
  // The whole table's domain: feature j has codes {0, …, sizes[j] - 1}. Keeps a reference to `sizes`.
  explicit Domain(const std::vector<Code>& sizes) : sizes_(&sizes) {}

  CodeSet Of(Feature feature) const {
    const auto found = narrowed_.find(feature);
    return found == narrowed_.end() ? CodeSet::All((*sizes_)[feature]) : found->second;
  }
  const std::map<Feature, CodeSet>& narrowed() const { return narrowed_; }

  // The domains of the two children: `feature` in `left`, and not.
  std::pair<Domain, Domain> Split(Feature feature, std::span<const Code> left) const;

 private:
  const std::vector<Code>* sizes_;
  std::map<Feature, CodeSet> narrowed_;
};

}  // namespace dtf
