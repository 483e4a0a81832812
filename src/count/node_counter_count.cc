// NodeCounter: the counts of a block of candidates.
//
// A block's lanes fall into groups, the candidates of one feature. Counting g candidates against a feature of p planes
// costs g · p · rows / 64 AND + popcounts, counting row by row about one load-and-add a row whatever g and p. So each
// group has a limit on p. Neighbouring groups of the same limit form a run, which is counted against a whole range of
// features at once; what lies above the limit is counted row by row, group by group.
#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <utility>

#include "count/counting_table.h"

namespace dtf {
namespace {

// g · p at which both ways cost the same. (Zen 4 with AVX-512: some 700, with AVX2: some 250.)
constexpr std::size_t kEvenPlanes = 512;

// Cells of a range's counts: they and the range's planes stay in a core's second-level cache.
constexpr std::size_t kRangeCells = std::size_t{1} << 15;

constexpr std::uint32_t kNoLane = ~std::uint32_t{0};

}  // namespace

BlockCounts NodeCounter::Count(std::span<const Candidate> candidates) const {
  CandidateBlock block;
  BlockCounts counts;
  Prepare(candidates, block);
  Count(block, 0, static_cast<Feature>(present_.size()), counts);
  return counts;
}

void NodeCounter::Prepare(std::span<const Candidate> candidates, CandidateBlock& block) const {
  block.candidates_.assign(candidates.begin(), candidates.end());
  block.totals_.assign(block.width(), 0);
  block.listed_.clear();
  FindGroups(block);
  if (pairs_ != nullptr) {
    FindPlaces(block);
  } else {
    FindRuns(block);
  }
}

std::size_t NodeCounter::MostCandidates() const {
  constexpr std::size_t kMost = 512;
  constexpr std::size_t kPackedWords = std::size_t{1} << 21;
  constexpr std::size_t kFeatureCells = std::size_t{1} << 20;  // counts of one feature
  if (pairs_ != nullptr) return kMost;
  const std::size_t words =
      std::max<std::size_t>(planes_.words() * std::max<std::size_t>(planes_.weights().planes, 1), 1);
  const std::size_t fitting = std::min(kPackedWords / words, kFeatureCells / std::max<std::size_t>(most_present_, 1));
  return std::clamp(fitting / BlockCounts::kLanes * BlockCounts::kLanes, BlockCounts::kLanes, kMost);
}

// The limit of a group of so many candidates whose feature has planes. Never 0.
std::size_t NodeCounter::PlaneLimit(std::size_t candidates) const {
  const std::size_t bits = std::max<std::size_t>(planes_.weights().planes, 1);
  const std::size_t limit =
      std::bit_floor(std::max<std::size_t>(kEvenPlanes / std::max<std::size_t>(candidates * bits, 1), 1));
  return limit >= most_planes_ ? std::max<std::size_t>(most_planes_, 1) : limit;
}

std::size_t NodeCounter::PositionOf(Feature j, Code code) const {
  const auto present = present_[j];
  return static_cast<std::size_t>(std::lower_bound(present.begin(), present.end(), code) - present.begin());
}

void NodeCounter::FindGroups(CandidateBlock& block) const {
  block.groups_.clear();
  const auto& candidates = block.candidates_;
  for (std::size_t first = 0; first < candidates.size();) {
    const Feature feature = candidates[first].feature;
    std::size_t last = first;
    for (; last < candidates.size() && candidates[last].feature == feature; ++last) {
      block.totals_[last] = counts(feature)[PositionOf(feature, candidates[last].value)];
    }
    block.groups_.push_back({feature, first, last, planes_.Has(feature) ? PlaneLimit(last - first) : 0});
    first = last;
  }
  if (block.groups_.empty()) return;
  block.groups_.back().last = block.width();
}

void NodeCounter::FindRuns(CandidateBlock& block) const {
  block.used_runs_ = 0;
  for (std::size_t first = 0; first < block.groups_.size();) {
    const std::size_t limit = block.groups_[first].limit;
    std::size_t last = first;
    while (last < block.groups_.size() && block.groups_[last].limit == limit) ++last;
    if (block.used_runs_ == block.runs_.size()) block.runs_.emplace_back();
    Run& run = block.runs_[block.used_runs_++];
    run.first_group = first;
    run.last_group = last;
    if (limit > 0) Pack(block, run);
    if (!all_have_planes_ || limit < most_planes_) {
      for (std::size_t group = first; group < last && block.listed_.size() < CandidateBlock::kMostListedRows; ++group) {
        ListRows(block, block.groups_[group]);
        block.groups_[group].is_listed = true;
      }
    }
    first = last;
  }
}

void NodeCounter::Pack(CandidateBlock& block, Run& run) const {
  const std::size_t first = block.groups_[run.first_group].first;
  const std::size_t last = block.groups_[run.last_group - 1].last;
  const PlaneMatrix weights = planes_.weights();
  const std::size_t bits = std::max<std::size_t>(weights.planes, 1);
  run.panels.Reset(last - first, bits, planes_.words());
  std::uint64_t* room = block.made_planes_.Resize(PlanePanels::kLanes * planes_.words());
  for (std::size_t panel = 0; panel < run.panels.panels(); ++panel) {
    const std::uint64_t* planes[PlanePanels::kLanes] = {};
    for (std::size_t i = 0; i < PlanePanels::kLanes; ++i) {
      const std::size_t lane = first + panel * PlanePanels::kLanes + i;
      if (lane >= std::min(last, block.size())) break;
      const Candidate candidate = block.candidates_[lane];
      planes[i] = planes_.PlaneOf(candidate.feature, PositionOf(candidate.feature, candidate.value),
                                  room + i * planes_.words());
    }
    for (std::size_t bit = 0; bit < bits; ++bit) {
      run.panels.Pack(panel, bit, planes, weights.planes == 0 ? nullptr : weights[bit]);
    }
  }
}

void NodeCounter::ListRows(CandidateBlock& block, Group& group) const {
  auto& lanes = block.lane_of_code_;
  lanes.assign(table_.layout().size(group.feature), kNoLane);
  for (std::size_t lane = group.first; lane < std::min(group.last, block.size()); ++lane) {
    lanes[block.candidates_[lane].value] = static_cast<std::uint32_t>(lane);
  }
  group.first_listed = block.listed_.size();
  table_.table_.columns[group.feature].Visit([&](auto cells) {
    for (const std::uint32_t row : rows_) {
      const std::uint32_t lane = lanes[cells[row]];
      if (lane != kNoLane) block.listed_.push_back({row, lane});
    }
  });
  group.last_listed = block.listed_.size();
}

Feature NodeCounter::RangeEnd(Feature first, std::size_t width) const {
  const auto features = static_cast<Feature>(present_.size());
  Feature last = first + 1;
  while (last < features && (present_.Begin(last + 1) - present_.Begin(first)) * width <= kRangeCells) ++last;
  return last;
}

void NodeCounter::Count(CandidateBlock& block, Feature first, Feature last, BlockCounts& counts) const {
  counts.Reset(present_, first, last, block.width());
  if (pairs_ != nullptr) {
    for (Feature j = first; j < last; ++j) ReadPairs(block, j, counts);
  } else {
    for (std::size_t run = 0; run < block.used_runs_; ++run) CountRun(block, block.runs_[run], counts);
  }
  for (Feature j = first; j < last; ++j) {
    if (planes_.Has(j) && counts.present(j) > 0) SubtractForLastCode(block, j, counts);
  }
}

void NodeCounter::CountRun(CandidateBlock& block, const Run& run, BlockCounts& counts) const {
  const Group& any = block.groups_[run.first_group];
  for (Feature j = counts.first(); j < counts.last();) {
    Feature last = j;
    while (last < counts.last() && CountsByPlanes(any, last)) ++last;
    if (last > j) CountByPlanes(block, run, j, last, counts);
    if (last < counts.last()) {
      for (std::size_t g = run.first_group; g < run.last_group; ++g) {
        CountByRows(block, block.groups_[g], last, counts);
      }
    }
    j = last + 1;
  }
}

void NodeCounter::CountByPlanes(const CandidateBlock& block, const Run& run, Feature first, Feature last,
                                BlockCounts& counts) const {
  if (planes_.Of(first, last).planes == 0) return;
  const CountRowsOut out = {counts.Row(counts.first(), 0) + block.groups_[run.first_group].first, counts.width(),
                            planes_.CodesOf(first), counts.first_row()};
  CountPlanes(run.panels, planes_.Of(first, last), out);
}

void NodeCounter::CountByRows(CandidateBlock& block, Group& group, Feature j, BlockCounts& counts) const {
  for (std::size_t i = 0; i < counts.present(j); ++i) {
    std::fill(counts.Row(j, i) + group.first, counts.Row(j, i) + group.last, 0);
  }
  if (j == group.feature) {
    for (std::size_t lane = group.first; lane < std::min(group.last, block.size()); ++lane) {
      counts.Row(j, PositionOf(j, block.candidates_[lane].value))[lane] = block.totals_[lane];
    }
    return;
  }
  if (counts.present(j) == 0) return;
  const std::size_t listed_before = block.listed_.size();
  if (!group.is_listed) ListRows(block, group);
  const auto rows = std::span(block.listed_).subspan(group.first_listed, group.last_listed - group.first_listed);
  const std::uint32_t* position = position_.data() + table_.layout().begin(j);
  const auto& weights = table_.weights_;
  dtf::Count* first_row = counts.Row(j, 0);
  table_.table_.columns[j].Visit([&](auto cells) {
    for (const auto [row, lane] : rows) {
      first_row[position[cells[row]] * counts.width() + lane] += weights.empty() ? 1 : weights[row];
    }
  });
  block.listed_.resize(listed_before);
}

void NodeCounter::FindPlaces(CandidateBlock& block) const {
  block.stretches_.clear();
  block.rests_.clear();
  for (std::size_t lane = 0; lane < block.size(); ++lane) {
    const auto [feature, value] = block.candidates_[lane];
    const std::uint32_t place = pairs_->PlaceOf(feature, value);
    if (place == PairTable::kNoPlace) {
      block.rests_.push_back({lane, pairs_->begin(feature), pairs_->end(feature)});
      continue;
    }
    if (!block.stretches_.empty()) {
      auto& before = block.stretches_.back();
      if (before.lane + before.size == lane && before.place + before.size == place) {
        ++before.size;
        continue;
      }
    }
    block.stretches_.push_back({lane, place, 1});
  }
}

// All rows of feature j but the last.
void NodeCounter::ReadPairs(const CandidateBlock& block, Feature j, BlockCounts& counts) const {
  for (std::size_t i = 0; i + 1 < counts.present(j); ++i) {
    const dtf::Count* from = pairs_->Row(pairs_->PlaceOf(j, present_[j][i]));
    dtf::Count* to = counts.Row(j, i);
    for (const auto [lane, place, size] : block.stretches_) std::copy_n(from + place, size, to + lane);
    for (const auto [lane, begin, end] : block.rests_) {
      to[lane] = std::accumulate(from + begin, from + end, this->counts(j)[i], std::minus<>());
    }
    std::fill(to + block.size(), to + block.width(), 0);
  }
}

// All rows of feature j but the last are there; what a candidate sends left and is in none of them is in the last.
void NodeCounter::SubtractForLastCode(const CandidateBlock& block, Feature j, BlockCounts& counts) const {
  SubtractRows(block.totals_, counts.Row(j, 0), counts.present(j) - 1, counts.Row(j, counts.present(j) - 1));
}

}  // namespace dtf
