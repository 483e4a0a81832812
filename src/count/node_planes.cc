#include "count/node_planes.h"

#include <algorithm>

namespace dtf {
NodePlanes::NodePlanes(const Source& source) {
  LayOut(source);
  const bool consecutive = AreConsecutive(source.rows);
  for (Feature j = 0; j < has_.size(); ++j) {
    if (Of(j).planes > 0) MatchFeature(source, j, consecutive);
  }
  MatchWeights(source);
}

NodePlanes::NodePlanes(const Source& source, const NodePlanes& parent, const Ragged<Code>& parent_present,
                       const PlaneCompressor& side) {
  LayOut(source);
  std::size_t plane = 0;
  for (Feature j = 0; j < has_.size(); ++j) {
    if (Of(j).planes == 0) continue;
    if (!parent.Has(j)) {
      MatchFeature(source, j, false);
      plane += Of(j).planes;
      continue;
    }
    const auto codes = source.present[j];
    const auto parents = parent_present[j];
    std::size_t position = 0;
    for (std::size_t i = 0; i + 1 < codes.size(); ++i) {
      while (parents[position] != codes[i]) ++position;
      side.Compress(parent.Of(j)[position], MutablePlane(plane++));
    }
  }
  for (std::size_t bit = 0; bit < weight_bits_; ++bit) side.Compress(parent.weights()[bit], MutablePlane(plane++));
}

void NodePlanes::LayOut(const Source& source) {
  rows_ = source.rows.size();
  words_per_plane_ = PlaneWords(rows_);
  weight_bits_ = source.weight_bits;
  const std::size_t features = source.present.size();
  has_.resize(features);
  begin_.resize(features + 1);
  for (Feature j = 0; j < features; ++j) {
    const std::size_t present = source.present[j].size();
    has_[j] = AreKept(present);
    const std::size_t planes = has_[j] && present > 0 ? present - 1 : 0;
    begin_[j + 1] = begin_[j] + planes;
    const auto first_code = static_cast<std::uint32_t>(source.present.Begin(j));
    for (std::uint32_t i = 0; i < planes; ++i) codes_.push_back(first_code + i);
  }
  words_ = std::make_unique_for_overwrite<std::uint64_t[]>((begin_.back() + weight_bits_) * words_per_plane_);
}

void NodePlanes::MatchFeature(const Source& source, Feature j, bool consecutive) {
  const auto codes = source.present[j];
  source.table.columns[j].Visit([&]<typename T>(std::span<const T> cells) {
    std::vector<T> gathered;
    if (consecutive) {
      cells = cells.subspan(source.rows[0], rows_);
    } else {
      gathered.reserve(rows_);
      for (const std::uint32_t row : source.rows) gathered.push_back(cells[row]);
      cells = gathered;
    }
    for (std::size_t i = 0; i + 1 < codes.size(); ++i) MatchCodes(cells, codes[i], MutablePlane(begin_[j] + i));
  });
}

void NodePlanes::MatchWeights(const Source& source) {
  if (weight_bits_ == 0) return;
  std::vector<Count> weights;
  weights.reserve(rows_);
  for (const std::uint32_t row : source.rows) weights.push_back(source.weights[row]);
  BitPlanes(weights, weight_bits_, MutablePlane(begin_.back()));
}

const std::uint64_t* NodePlanes::PlaneOf(Feature j, std::size_t i, std::uint64_t* room) const {
  const PlaneMatrix planes = Of(j);
  if (i < planes.planes) return planes[i];
  std::fill_n(room, words_per_plane_, ~std::uint64_t{0});
  for (std::size_t other = 0; other < planes.planes; ++other) {
    for (std::size_t w = 0; w < words_per_plane_; ++w) room[w] &= ~planes[other][w];
  }
  if (rows_ % 64 != 0) room[words_per_plane_ - 1] &= (std::uint64_t{1} << (rows_ % 64)) - 1;
  return room;
}

}  // namespace dtf
