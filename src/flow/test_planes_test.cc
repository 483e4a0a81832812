#include "flow/test_planes.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace dtf {
namespace {

TEST(TestPlanes, SayWhichRowsPass) {
  RandomStream random(1, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 60; ++round) {
    const std::vector<Code> sizes = {2, 40, 100000};
    std::vector<CodeTest> tests;
    for (auto count = random.Below(round % 2 == 0 ? 12 : 2000); count > 0; --count) {
      const auto column = static_cast<Feature>(random.Below(3));
      const auto first = random.Below(3) == 0 ? Code{0} : static_cast<Code>(random.Below(sizes[column]));
      const auto last = random.Below(3) == 0 ? first : first + static_cast<Code>(random.Below(sizes[column] - first));
      tests.push_back({column, first, last});
    }
    const TestIndex index(tests, sizes);
    const std::size_t rows = random.Below(1300);
    TestPlanes planes(index, rows);
    for (Feature column = 0; column < 3; ++column) {
      std::vector<Code> codes(rows);
      for (Code& code : codes) code = static_cast<Code>(random.Below(sizes[column] + 1));
      // A second time, as garbage must not stay.
      planes.Fill(column, std::vector<Code>(rows, 0));
      planes.Fill(column, codes);
      for (std::size_t t = 0; t < tests.size(); ++t) {
        if (tests[t].column != column) continue;
        for (std::size_t i = 0; i < 64 * planes.words(); ++i) {
          const bool passes = i < rows && codes[i] >= tests[t].first && codes[i] <= tests[t].last;
          ASSERT_EQ((planes.matrix()[t][i / 64] >> (i % 64) & 1) != 0, passes);
        }
      }
    }
  }
}

}  // namespace
}  // namespace dtf
