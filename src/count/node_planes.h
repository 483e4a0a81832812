// Bit planes of a node's rows: one for each present code of each feature, but for the feature's last present code,
// which the remaining rows have. Features with many present codes have no planes: they are counted row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ragged.h"
#include "count/planes.h"
#include "table/code_table.h"

namespace dtf {

// Whether these are rows[0], rows[0] + 1, ….
inline bool AreConsecutive(std::span<const std::uint32_t> rows) {
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i] != rows[0] + i) return false;
  }
  return true;
}

class NodePlanes {
 public:
  // Features with more present codes have no planes. So a row takes at most 4 B a feature.
  static constexpr std::size_t kMostCodes = 33;

  struct Source {
    const CodeTable& table;
    std::span<const Count> weights;  // of all rows of the table; empty: all 1
    std::size_t weight_bits;         // of the largest of them; 0 when empty
    std::span<const std::uint32_t> rows;
    const Ragged<Code>& present;
  };

  // From the codes of the node's rows. O(planes · rows), vectorised.
  explicit NodePlanes(const Source& source);

  // The planes of a child, from its parent's, of whose rows `side` keeps the child's. Some 1 ns for each plane and word
  // of the parent.
  NodePlanes(const Source& source, const NodePlanes& parent, const Ragged<Code>& parent_present,
             const PlaneCompressor& side);

  static bool AreKept(std::size_t present) { return present <= kMostCodes; }
  bool Has(Feature j) const { return has_[j] != 0; }
  // Feature j's planes, in the order of its present codes.
  PlaneMatrix Of(Feature j) const { return Of(j, j + 1); }
  // Those of features [first, last).
  PlaneMatrix Of(Feature first, Feature last) const {
    return {words_.get() + begin_[first] * words_per_plane_, begin_[last] - begin_[first], words_per_plane_};
  }
  // For each of these planes: which of all the present codes it stands for.
  const std::uint32_t* CodesOf(Feature first) const { return codes_.data() + begin_[first]; }
  // The rows' weights, least bit first; no planes when every row counts once.
  PlaneMatrix weights() const {
    return {words_.get() + begin_.back() * words_per_plane_, weight_bits_, words_per_plane_};
  }

  std::size_t rows() const { return rows_; }
  std::size_t words() const { return words_per_plane_; }

  // The plane of feature j's i-th present code: stored, or made in `room` (words() words). REQUIRES: Has(j).
  const std::uint64_t* PlaneOf(Feature j, std::size_t i, std::uint64_t* room) const;

 private:
  void LayOut(const Source& source);
  void MatchFeature(const Source& source, Feature j, bool consecutive);
  void MatchWeights(const Source& source);
  std::uint64_t* MutablePlane(std::size_t plane) { return words_.get() + plane * words_per_plane_; }

  std::size_t rows_ = 0;
  std::size_t words_per_plane_ = 0;
  std::size_t weight_bits_ = 0;
  std::vector<std::uint8_t> has_;     // by feature
  std::vector<std::size_t> begin_;    // by feature: its first plane
  std::vector<std::uint32_t> codes_;  // by plane
  std::unique_ptr<std::uint64_t[]> words_;
};

}  // namespace dtf
