// A block of candidates made ready for counting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "count/block_counts.h"
#include "count/planes.h"

namespace dtf {

// "Feature `feature` has the code `value`" sends a row left.
struct Candidate {
  Feature feature = 0;
  Code value = 0;

  friend bool operator==(const Candidate&, const Candidate&) = default;
};

// How a node is split: rows whose code of `feature` is one of `left` go left.
struct SetSplit {
  Feature feature = 0;
  std::vector<Code> left;  // ascending, at least one

  friend bool operator==(const SetSplit&, const SetSplit&) = default;
};

// Calls f with a function that tells of a code of the split feature whether it goes left. `codes`: how many the feature
// has.
template <typename F>
auto WithSide(const SetSplit& split, Code codes, const F& f) {
  if (split.left.size() == 1) return f([value = split.left[0]](Code code) { return code == value; });
  std::vector<std::uint8_t> goes_left(codes, 0);
  for (const Code code : split.left) goes_left[code] = 1;
  return f([&goes_left](Code code) { return goes_left[code] != 0; });
}

// Scratch memory for NodeCounter, which fills it. Keep one for each thread and use it again: it allocates only when a
// block needs more than any before it. It takes 128 B for each word of rows and 16 candidates, and 8 B for each of up
// to kMostListedRows rows.
class CandidateBlock {
 public:
  static constexpr std::size_t kMostListedRows = std::size_t{1} << 21;

  std::size_t size() const { return candidates_.size(); }
  std::size_t width() const { return BlockCounts::WidthOf(size()); }

 private:
  friend class NodeCounter;

  struct ListedRow {
    std::uint32_t row;
    std::uint32_t lane;
  };
  // Candidates of one feature: lanes [first, last). The padding belongs to the block's last group.
  struct Group {
    Feature feature;
    std::size_t first;
    std::size_t last;
    std::size_t limit;  // features with more stored planes than this are counted row by row
    bool is_listed = false;
    std::size_t first_listed = 0;  // its rows: [first_listed, last_listed) of listed_
    std::size_t last_listed = 0;
  };
  // Neighbouring groups of the same limit, counted together. Limit 0: no planes at all.
  struct Run {
    std::size_t first_group;
    std::size_t last_group;
    PlanePanels panels;
  };

  // Neighbouring lanes whose candidates have neighbouring places in the node's PairTable.
  struct Stretch {
    std::size_t lane;
    std::size_t place;
    std::size_t size;
  };
  // A lane whose candidate has no place in the PairTable: its counts are the node's less those of its feature's places
  // [begin, end).
  struct Rest {
    std::size_t lane;
    std::size_t begin;
    std::size_t end;
  };

  std::vector<Candidate> candidates_;
  std::vector<Count> totals_;  // by lane: rows that go left
  std::vector<Group> groups_;
  std::vector<Run> runs_;  // the first used_runs_ of them
  std::size_t used_runs_ = 0;
  std::vector<ListedRow> listed_;
  std::vector<std::uint32_t> lane_of_code_;
  std::vector<Stretch> stretches_;
  std::vector<Rest> rests_;
  AlignedBuffer<std::uint64_t> made_planes_;  // those of candidates that have none in the node
};

}  // namespace dtf
