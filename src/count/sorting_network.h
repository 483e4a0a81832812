// Batcher's merge exchange (Knuth, The Art of Computer Programming, vol. 3, section 5.2.2, algorithm M): sorting
// networks for any number of elements, some n (ln n)² / 4 comparators.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace dtf {

// Element `low` becomes the lesser of the two, element `high` the greater. low < high.
struct Comparator {
  std::uint8_t low = 0;
  std::uint8_t high = 0;
};

// Calls f(low, high) for each comparator, in order.
template <typename F>
constexpr void ForEachComparator(std::size_t elements, F&& f) {
  if (elements < 2) return;
  const std::size_t top = std::bit_ceil(elements) / 2;
  for (std::size_t p = top; p > 0; p /= 2) {
    std::size_t r = 0;
    std::size_t d = p;
    for (std::size_t q = top;; q /= 2) {
      for (std::size_t i = 0; i + d < elements; ++i) {
        if ((i & p) == r) f(i, i + d);
      }
      if (q == p) break;
      d = q - p;
      r = p;
    }
  }
}

constexpr std::size_t CountComparators(std::size_t elements) {
  std::size_t count = 0;
  ForEachComparator(elements, [&](std::size_t, std::size_t) { ++count; });
  return count;
}

// Known to the compiler.
template <std::size_t kElements>
inline constexpr auto kSortingNetwork = [] {
  std::array<Comparator, CountComparators(kElements)> comparators{};
  std::size_t count = 0;
  ForEachComparator(kElements, [&](std::size_t low, std::size_t high) {
    comparators[count++] = {static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(high)};
  });
  return comparators;
}();

inline constexpr std::size_t kMostSorted = 128;
inline constexpr std::size_t kMostComparators = CountComparators(kMostSorted);

// Writes the network to `room`, which has kMostComparators places. REQUIRES: elements <= kMostSorted.
inline std::span<const Comparator> ListSortingNetwork(std::size_t elements, std::span<Comparator> room) {
  std::size_t count = 0;
  ForEachComparator(elements, [&](std::size_t low, std::size_t high) {
    room[count++] = {static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(high)};
  });
  return room.first(count);
}

}  // namespace dtf
