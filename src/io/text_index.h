// Position of a text in a list of distinct texts, by hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dtf/table.h"

namespace dtf {

// An index over a list of texts that its owner keeps (a column's dictionary). A few texts may be marked: they stand
// for a missing cell and are in no list. An empty index takes 32 bytes; each text takes 16 to 32 bytes more.
class TextIndex {
 public:
  // From now on `text` is found as kMissingCell. REQUIRES: nothing was added since construction or Clear.
  void Mark(std::string_view text);
  // Whether a marked text was looked for.
  bool HasMet(std::string_view text) const;

  // Position of `text` in `texts`, where it is appended if new; kMissingCell if it is marked.
  // REQUIRES: `texts` is the same list at each call, changed by nobody else.
  Code FindOrAdd(std::string_view text, std::vector<std::string>& texts);

  // Forgets all texts but the marked ones; their list has to be emptied as well.
  void Clear();

 private:
  // A short text is its own key, a long one is known by its hash and then compared.
  struct Slot {
    std::uint64_t key = 0;  // 0: free
    Code code = 0;
  };
  static constexpr std::size_t kShort = 7;

  static std::uint64_t KeyOf(std::string_view text);
  bool Holds(const Slot& slot, std::string_view text, const std::vector<std::string>& texts) const;
  Code Meet(std::string_view text);
  void Insert(std::uint64_t key, Code code);
  std::size_t Start(std::uint64_t key) const { return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15u >> shift_); }
  void Grow();

  std::vector<Slot> slots_;          // a power of two, never more than 3/4 full; probed one after the other
  std::vector<std::string> marked_;  // a handful
  std::vector<std::string> unmet_;   // those of them that were not looked for
  std::size_t used_ = 0;
  int shift_ = 64;  // 64 - log2 of the number of slots
};

}  // namespace dtf
