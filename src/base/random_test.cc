#include "base/random.h"

#include <algorithm>
#include <array>
#include <map>

#include <gtest/gtest.h>

namespace dtf {
namespace {

TEST(RandomStream, DrawsEachOrderedChoiceEquallyOften) {
  std::map<std::array<int, 2>, int> times;
  constexpr int kDraws = 12'000;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::array values{0, 1, 2, 3};
    RandomStream(1, RandomPurpose::kShuffle, static_cast<std::uint64_t>(draw)).DrawFirst(std::span<int>(values), 2);
    ++times[{values[0], values[1]}];
    std::ranges::sort(values);
    EXPECT_EQ(values, (std::array{0, 1, 2, 3}));
  }
  EXPECT_EQ(times.size(), 12u);
  for (const auto& [choice, count] : times) EXPECT_NEAR(count, 1000, 5 * 30.3);
}

}  // namespace
}  // namespace dtf
