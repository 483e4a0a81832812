#include "flow/independent_base.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace dtf {
namespace {

Ragged<std::uint64_t> Counts(const std::vector<std::vector<std::uint64_t>>& lists) {
  Ragged<std::uint64_t> counts;
  for (const auto& list : lists) counts.Append(list);
  return counts;
}

TEST(IndependentBase, SmoothsAsThePaperDoes) {
  const IndependentBase base(Counts({{1, 3, 0}}), 1, 0.5, true);
  EXPECT_NEAR(base.LogProb(0, 1), std::log(3.5 / 5.5), 1e-15);
  EXPECT_NEAR(base.LogProb(0, 2), std::log(0.5 / 5.5), 1e-15);
  EXPECT_EQ(base.unseen().mass, 0);
}

TEST(IndependentBase, KeepsMassForTheUnseen) {
  const IndependentBase base(Counts({{1, 3}, {4}}), 1, 0.5, false);
  const double first = 0.5 / (4 + 0.5 * 3);
  const double second = 0.5 / (4 + 0.5 * 2);
  EXPECT_NEAR(std::exp(base.LogProb(0, 2)), first, 1e-15);
  EXPECT_NEAR(std::exp(base.LogProb(1, 1)), second, 1e-15);
  EXPECT_NEAR(base.unseen().mass, 1 - (1 - first) * (1 - second), 1e-15);
  EXPECT_NEAR(std::exp(base.LogProb(0, 0)) + std::exp(base.LogProb(0, 1)), 1 - first, 1e-15);
}

TEST(IndependentBase, CountsInUnits) {
  const IndependentBase whole(Counts({{1, 3}}), 1, 0.5, false);
  const IndependentBase parts(Counts({{65536, 3 * 65536}}), 0x1p-16, 0.5, false);
  for (Code code = 0; code <= 2; ++code) EXPECT_EQ(whole.LogProb(0, code), parts.LogProb(0, code));
}

// How many of the 2^32 draws give each category: within one of 2^log_cells equal cells the category changes once at
// most.
std::vector<std::uint64_t> Shares(const IndependentBase& base, std::size_t column, Code categories) {
  const std::uint64_t cell_size = (std::uint64_t{1} << 32) / std::bit_ceil(categories);
  std::vector<std::uint64_t> shares(categories);
  const auto draw = [&](std::uint64_t bits) { return base.Draw(column, static_cast<std::uint32_t>(bits)); };
  for (std::uint64_t begin = 0; begin < std::uint64_t{1} << 32; begin += cell_size) {
    std::uint64_t low = begin + 1;
    std::uint64_t high = begin + cell_size;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (draw(middle) == draw(begin)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    shares.at(draw(begin)) += low - begin;
    shares.at(draw(begin + cell_size - 1)) += begin + cell_size - low;
  }
  return shares;
}

TEST(IndependentBase, DrawsEachCategoryAsOftenAsItsMass) {
  RandomStream random(4, RandomPurpose::kSample, 0);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint64_t> counts(1 + random.Below(round == 0 ? 5000 : 70));
    for (auto& count : counts) count = random.Below(3) == 0 ? 0 : random.Below(1000);
    counts[random.Below(counts.size())] += 1;
    const double alpha = round % 2 == 0 ? 0 : 0.001;
    const IndependentBase base(Counts({{5}, counts}), 1, alpha, true);
    const auto shares = Shares(base, 1, static_cast<Code>(counts.size()));
    for (Code code = 0; code < counts.size(); ++code) {
      const double exact = 0x1p32 * std::exp(base.LogProb(1, code));
      ASSERT_NEAR(static_cast<double>(shares[code]), exact, 1.001) << counts.size() << " categories, " << code;
      ASSERT_TRUE(exact > 0 || shares[code] == 0);
    }
    EXPECT_EQ(base.Draw(0, static_cast<std::uint32_t>(random.Next())), 0u);
  }
}

TEST(IndependentBase, NeverDrawsWhatHasNoMass) {
  const IndependentBase base(Counts({{0, 2, 0, 3, 0}, {0, 0, 7, 0, 0}}), 1, 0, true);
  EXPECT_EQ(base.LogProb(0, 0), -std::numeric_limits<double>::infinity());
  const auto shares = Shares(base, 0, 5);
  EXPECT_EQ(shares[1] + shares[3], std::uint64_t{1} << 32);
  EXPECT_EQ(Shares(base, 1, 5)[2], std::uint64_t{1} << 32);
}

CodeBlock Sampled(const IndependentBase& base, std::uint64_t first, std::size_t rows) {
  std::vector<std::uint64_t> numbers(rows);
  std::iota(numbers.begin(), numbers.end(), first);
  CodeBlock block(rows, base.columns());
  base.SampleRows(3, numbers, block);
  return block;
}

// The pieces are what the whole has there, whatever their size, and no two cells share their random numbers.
TEST(IndependentBase, SamplesCellByCell) {
  constexpr std::size_t kColumns = 21;
  const IndependentBase base(Counts(std::vector<std::vector<std::uint64_t>>(kColumns, {1, 1, 1, 1})), 1, 0, true);
  const CodeBlock whole = Sampled(base, 50, 1000);
  for (const std::size_t rows : {1u, 63u, 64u, 65u, 200u}) {
    for (const std::size_t first : {0u, 1u, 64u, 700u}) {
      const CodeBlock part = Sampled(base, 50 + first, rows);
      for (std::size_t j = 0; j < kColumns; ++j) {
        ASSERT_TRUE(std::equal(part[j].begin(), part[j].end(), whole[j].subspan(first).begin()));
      }
    }
  }
  for (std::size_t a = 0; a < kColumns; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      int equal = 0;
      for (std::size_t i = 0; i < whole.rows(); ++i) equal += whole[a][i] == whole[b][i];
      EXPECT_NEAR(equal, 250, 5 * std::sqrt(1000 * .25 * .75)) << a << ' ' << b;
    }
  }
}

TEST(IndependentBase, MeanNllIsTheRowsMean) {
  const IndependentBase base(Counts({{1, 3}, {2, 2}}), 1, 0.5, false);
  const double expected = -(base.LogProb(0, 0) + 3 * base.LogProb(0, 2)) / 4 - base.LogProb(1, 1);
  EXPECT_NEAR(base.MeanNll(Counts({{1, 0, 3}, {0, 4, 0}})), expected, 1e-12);
}

}  // namespace
}  // namespace dtf
