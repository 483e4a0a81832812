#include "count/pair_table.h"

#include <algorithm>
#include <atomic>

#include "base/parallel.h"
#include "count/counting_table.h"

namespace dtf {
namespace {

// Places counted at a time: few, so that little more than half the table is counted, but whole panels.
constexpr std::size_t kBlockPlaces = 64;

// Counts that a thread subtracts at a time.
constexpr std::size_t kSubtracted = std::size_t{1} << 18;

std::size_t StrideOf(std::size_t places) {
  constexpr std::size_t kLine = AlignedBuffer<Count>::kAlignment / sizeof(Count);
  const std::size_t lines = (places + kLine - 1) / kLine;
  return (lines | 1) * kLine;  // odd, so that a column does not fall into a few sets of the cache
}

std::size_t PlacesOf(std::span<const Code> present) { return present.empty() ? 0 : present.size() - 1; }

}  // namespace

std::size_t PairTable::BytesFor(const NodeCounter& node) {
  const std::size_t places = node.planes().Of(0, static_cast<Feature>(node.features())).planes;
  return places * StrideOf(places) * sizeof(Count);
}

PairTable::PairTable(const NodeCounter& node, int threads) {
  Ragged<Code> codes;
  for (Feature j = 0; j < node.features(); ++j) codes.Append(node.present(j).first(PlacesOf(node.present(j))));
  codes_ = std::make_shared<const Ragged<Code>>(std::move(codes));
  CountPairs(node, threads);
}

PairTable::PairTable(const NodeCounter& node, const PairTable& relative, int threads) : codes_(relative.codes_) {
  CountPairs(node, threads);
}

std::uint32_t PairTable::PlaceOf(Feature j, Code code) const {
  const auto codes = (*codes_)[j];
  const auto at = std::lower_bound(codes.begin(), codes.end(), code);
  if (at == codes.end() || *at != code) return kNoPlace;
  return static_cast<std::uint32_t>(begin(j) + static_cast<std::size_t>(at - codes.begin()));
}

void PairTable::Subtract(const PairTable& child, int threads) {
  const std::size_t size = places() * stride_;
  ParallelFor(threads, (size + kSubtracted - 1) / kSubtracted, [&](std::size_t part) {
    const std::size_t last = std::min(size, (part + 1) * kSubtracted);
    Count* counts = counts_.data();
    const Count* childs = child.counts_.data();
    for (std::size_t i = part * kSubtracted; i < last; ++i) counts[i] -= childs[i];
  });
}

void PairTable::CountPairs(const NodeCounter& node, int threads) {
  stride_ = StrideOf(places());
  counts_.Resize(places() * stride_);
  std::vector<std::uint32_t> place_of_plane;
  for (Feature j = 0; j < node.features(); ++j) {
    const auto present = node.present(j);
    for (const Code code : present.first(PlacesOf(present))) place_of_plane.push_back(PlaceOf(j, code));
  }
  const std::vector<Block> blocks = Blocks(node);
  const std::size_t sharing = std::min(static_cast<std::size_t>(ThreadCount(threads)), blocks.size());
  std::atomic<std::size_t> next = 0;
  ParallelFor(threads, sharing, [&](std::size_t) {
    Scratch scratch;
    for (std::size_t i = next++; i < blocks.size(); i = next++) CountBlock(node, blocks[i], place_of_plane, scratch);
  });
}

std::vector<PairTable::Block> PairTable::Blocks(const NodeCounter& node) const {
  const std::size_t most = std::min(kBlockPlaces, node.MostCandidates());
  std::vector<Block> blocks;
  for (Feature j = 0; j < node.features(); ++j) {
    if (begin(j) == end(j)) continue;
    if (blocks.empty() || end(j) - blocks.back().first > most) blocks.push_back({j, j, begin(j), begin(j)});
    blocks.back().feature_end = j + 1;
    blocks.back().last = end(j);
  }
  return blocks;
}

// Columns [first, last) of the rows from `first` on, and rows [first, last) of the columns from `last` on.
void PairTable::CountBlock(const NodeCounter& node, const Block& block, std::span<const std::uint32_t> places,
                           Scratch& scratch) {
  Pack(node, block, scratch);
  const NodePlanes& planes = node.planes();
  const PlaneMatrix counted = planes.Of(block.feature, static_cast<Feature>(node.features()));
  if (counted.planes > 0) {
    CountPlanes(scratch.panels, counted,
                {counts_.data() + block.first, stride_, places.data() + (places.size() - counted.planes), 0});
  }
  FillOtherRows(node, block, scratch.totals);
  Mirror(block);
}

void PairTable::Pack(const NodeCounter& node, const Block& block, Scratch& scratch) const {
  const NodePlanes& planes = node.planes();
  const PlaneMatrix weights = planes.weights();
  const std::size_t bits = std::max<std::size_t>(weights.planes, 1);
  std::vector<const std::uint64_t*> items(PlanePanels::kLanes *
                                          ((block.last - block.first - 1) / PlanePanels::kLanes + 1));
  scratch.totals.assign(block.last - block.first, 0);
  scratch.panels.Reset(block.last - block.first, bits, planes.words());
  std::uint64_t* room =
      scratch.made_planes.Resize(static_cast<std::size_t>(block.feature_end - block.feature) * planes.words());
  for (Feature j = block.feature; j < block.feature_end; ++j) {
    const auto present = node.present(j);
    for (std::size_t i = 0; i < present.size(); ++i) {
      const std::uint32_t place = PlaceOf(j, present[i]);
      if (place == kNoPlace) continue;
      items[place - block.first] = planes.PlaneOf(j, i, room);
      if (i + 1 == present.size()) room += planes.words();
      scratch.totals[place - block.first] = node.counts(j)[i];
    }
  }
  for (std::size_t panel = 0; panel < scratch.panels.panels(); ++panel) {
    const auto of_panel = std::span(items).subspan(panel * PlanePanels::kLanes, PlanePanels::kLanes);
    for (std::size_t bit = 0; bit < bits; ++bit) {
      scratch.panels.Pack(panel, bit, of_panel, weights.planes == 0 ? nullptr : weights[bit]);
    }
  }
}

// The rows of places that have no plane in the node: the code is its feature's last one here, or does not occur.
void PairTable::FillOtherRows(const NodeCounter& node, const Block& block, std::span<const Count> totals) {
  for (Feature j = block.feature; j < node.features(); ++j) {
    const auto present = node.present(j);
    for (std::size_t place = begin(j); place < end(j); ++place) {
      const Code code = (*codes_)[j][place - begin(j)];
      Count* row = Row(place) + block.first;
      if (!std::binary_search(present.begin(), present.end(), code)) std::fill_n(row, totals.size(), 0);
    }
    const std::uint32_t last = present.empty() ? kNoPlace : PlaceOf(j, present.back());
    if (last == kNoPlace) continue;
    Count* row = Row(last) + block.first;
    std::copy(totals.begin(), totals.end(), row);
    for (std::size_t place = begin(j); place < end(j); ++place) {
      if (place == last) continue;
      const Count* other = Row(place) + block.first;
      for (std::size_t i = 0; i < totals.size(); ++i) row[i] -= other[i];
    }
  }
}

void PairTable::Mirror(const Block& block) {
  constexpr std::size_t kTile = 16;
  for (std::size_t first = block.last; first < places(); first += kTile) {
    const std::size_t last = std::min(first + kTile, places());
    for (std::size_t column = block.first; column < block.last; ++column) {
      Count* to = Row(column);
      const Count* from = counts_.data() + column;
      for (std::size_t row = first; row < last; ++row) to[row] = from[row * stride_];
    }
  }
}

}  // namespace dtf
