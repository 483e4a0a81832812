#include "count/sorting_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace dtf {
namespace {

bool Sorts(std::size_t elements, std::vector<int> values) {
  std::array<Comparator, kMostComparators> room;
  for (const auto [low, high] : ListSortingNetwork(elements, room)) {
    if (values[high] < values[low]) std::swap(values[low], values[high]);
  }
  return std::is_sorted(values.begin(), values.end());
}

// Enough by the zero-one principle.
TEST(SortingNetwork, SortsAllZeroOneInputs) {
  for (std::size_t elements = 0; elements <= 16; ++elements) {
    for (std::uint32_t bits = 0; bits < 1u << elements; ++bits) {
      std::vector<int> values(elements);
      for (std::size_t i = 0; i < elements; ++i) values[i] = bits >> i & 1;
      ASSERT_TRUE(Sorts(elements, values)) << elements << " " << bits;
    }
  }
}

TEST(SortingNetwork, SortsRandomInputs) {
  std::mt19937 random(1);
  for (std::size_t elements = 17; elements <= kMostSorted; ++elements) {
    for (int i = 0; i < 300; ++i) {
      std::vector<int> values(elements);
      for (int& value : values) value = static_cast<int>(random() % 2);
      ASSERT_TRUE(Sorts(elements, values)) << elements;
    }
  }
}

TEST(SortingNetwork, IsTheSameWhenKnownToTheCompiler) {
  std::array<Comparator, kMostComparators> room;
  const auto network = ListSortingNetwork(13, room);
  ASSERT_EQ(network.size(), kSortingNetwork<13>.size());
  for (std::size_t i = 0; i < network.size(); ++i) {
    EXPECT_EQ(network[i].low, kSortingNetwork<13>[i].low);
    EXPECT_EQ(network[i].high, kSortingNetwork<13>[i].high);
  }
}

}  // namespace
}  // namespace dtf
