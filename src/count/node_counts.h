// How often each code occurs among the rows of a node.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ragged.h"
#include "perm/domain.h"

namespace dtf {

// Rows, or whole units of weight, that the split search counts. At most 2^31.
using Count = std::uint32_t;

// Where the codes of each feature lie in one flat array over all features: feature j's at [begin(j), begin(j + 1)).
class CodeLayout {
 public:
  explicit CodeLayout(std::span<const Code> sizes) : begin_(sizes.size() + 1, 0) {
    for (std::size_t j = 0; j < sizes.size(); ++j) begin_[j + 1] = begin_[j] + sizes[j];
  }

  std::size_t features() const { return begin_.size() - 1; }
  std::size_t begin(Feature j) const { return begin_[j]; }
  Code size(Feature j) const { return static_cast<Code>(begin_[j + 1] - begin_[j]); }
  std::size_t total() const { return begin_.back(); }

 private:
  std::vector<std::size_t> begin_;
};

struct NodeCounts {
  Count total = 0;
  std::vector<Count> counts;  // by CodeLayout

  std::span<const Count> Of(const CodeLayout& layout, Feature j) const {
    return std::span(counts).subspan(layout.begin(j), layout.size(j));
  }
};

}  // namespace dtf
