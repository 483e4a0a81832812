#include "count/planes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <vector>

#include "count/target_test_util.h"

namespace dtf {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr Count kSentinel = 0xABCD1234;
constexpr std::uint64_t kWordSentinel = 0xFEEDFACECAFEBEEF;

Words RandomWords(std::size_t size, std::mt19937_64& random) {
  Words words(size);
  for (auto& word : words) {
    // Sparse, dense and even ones.
    word = random();
    if (random() % 3 == 0) word &= random() & random();
    if (random() % 3 == 0) word = ~word;
  }
  return words;
}

bool Bit(const std::uint64_t* plane, std::size_t i) { return plane[i / 64] >> (i % 64) & 1; }

struct CountCase {
  std::size_t items;
  std::size_t bits;
  std::size_t planes;
  std::size_t words;
};

void TestCountPlanes(const CountCase& c, std::mt19937_64& random) {
  SCOPED_TRACE(testing::Message() << c.items << " items, " << c.bits << " bits, " << c.planes << " planes, " << c.words
                                  << " words");
  const std::size_t offset = random() % 8;  // not aligned
  const Words planes = RandomWords(c.planes * c.words + offset, random);
  const Words items = RandomWords(c.items * c.bits * c.words, random);
  const Words mask = RandomWords(c.words, random);

  PlanePanels panels;
  panels.Reset(c.items, c.bits, c.words);
  for (std::size_t panel = 0; panel < panels.panels(); ++panel) {
    for (std::size_t bit = 0; bit < c.bits; ++bit) {
      std::array<const std::uint64_t*, PlanePanels::kLanes> sources{};
      for (std::size_t i = 0; i < sources.size() && panel * 16 + i < c.items; ++i) {
        sources[i] = items.data() + ((panel * 16 + i) * c.bits + bit) * c.words;
      }
      panels.Pack(panel, bit, sources, bit % 2 == 0 ? nullptr : mask.data());
    }
  }

  // Output rows in reverse, one lane of sentinels on either side of each.
  const std::size_t stride = c.items + 2;
  std::vector<std::uint32_t> rows(c.planes);
  for (std::size_t b = 0; b < c.planes; ++b) rows[b] = static_cast<std::uint32_t>(7 + c.planes - 1 - b);
  std::vector<Count> counts(c.planes * stride + 1, kSentinel);
  CountPlanes(panels, {planes.data() + offset, c.planes, c.words}, {counts.data() + 1, stride, rows.data(), 7});

  for (std::size_t b = 0; b < c.planes; ++b) {
    const Count* row = counts.data() + (rows[b] - 7) * stride;
    ASSERT_EQ(row[0], kSentinel);
    ASSERT_EQ(row[c.items + 1], kSentinel);
    for (std::size_t i = 0; i < c.items; ++i) {
      Count expected = 0;
      for (std::size_t bit = 0; bit < c.bits; ++bit) {
        for (std::size_t w = 0; w < c.words; ++w) {
          const std::uint64_t kept = bit % 2 == 0 ? ~std::uint64_t{0} : mask[w];
          const std::uint64_t item = items[(i * c.bits + bit) * c.words + w] & kept;
          expected += static_cast<Count>(std::popcount(planes[offset + b * c.words + w] & item)) << bit;
        }
      }
      ASSERT_EQ(row[1 + i], expected) << "plane " << b << ", item " << i;
    }
  }
}

TEST(CountPlanes, AllWordCountsAroundVectors) {
  OnEachTarget([] {
    std::mt19937_64 random(1);
    for (std::size_t words = 0; words <= 70; ++words) TestCountPlanes({17, 1, 5, words}, random);
    for (const std::size_t words : {127u, 128u, 129u, 255u, 256u, 257u, 400u})
      TestCountPlanes({18, 2, 9, words}, random);
  });
}

TEST(CountPlanes, AllShapes) {
  OnEachTarget([] {
    std::mt19937_64 random(2);
    for (std::size_t items = 1; items <= 50; ++items) TestCountPlanes({items, 1, 3, 5}, random);
    for (std::size_t planes = 0; planes <= 20; ++planes) TestCountPlanes({20, 1, planes, 5}, random);
    for (std::size_t bits = 1; bits <= 24; ++bits) TestCountPlanes({19, bits, 6, 4}, random);
  });
}

TEST(CountPlanes, BytesDoNotOverflow) {
  OnEachTarget([] {
    const std::size_t words = 300;
    const Words ones(words * 2, ~std::uint64_t{0});
    PlanePanels panels;
    panels.Reset(1, 1, words);
    std::array<const std::uint64_t*, PlanePanels::kLanes> sources{ones.data()};
    panels.Pack(0, 0, sources, nullptr);
    const std::uint32_t rows[] = {0, 1};
    Count counts[2] = {};
    CountPlanes(panels, {ones.data(), 2, words}, {counts, 1, rows, 0});
    EXPECT_EQ(counts[0], 64 * words);
    EXPECT_EQ(counts[1], 64 * words);
  });
}

TEST(CountBoth, AllWordCounts) {
  OnEachTarget([] {
    std::mt19937_64 random(3);
    for (std::size_t words = 0; words <= 70; ++words) {
      const Words plane = RandomWords(words + 1, random);
      const Words mask = RandomWords(words, random);
      Count expected = 0;
      for (std::size_t w = 0; w < words; ++w) expected += static_cast<Count>(std::popcount(plane[w + 1] & mask[w]));
      EXPECT_EQ(CountBoth(plane.data() + 1, mask), expected);
    }
  });
}

TEST(CountCode, AllRowCounts) {
  OnEachTarget([] {
    for (std::size_t rows = 0; rows <= 330; ++rows) {
      std::vector<std::uint8_t> cells(rows);
      for (std::size_t i = 0; i < rows; ++i) cells[i] = static_cast<std::uint8_t>(i * i % 7 == 2 ? 200 : i % 3);
      EXPECT_EQ(CountCode(cells, 200), std::count(cells.begin(), cells.end(), 200));
    }
  });
}

template <typename T>
void TestMatchCodes() {
  std::mt19937_64 random(4);
  for (std::size_t rows = 0; rows <= 330; ++rows) {
    std::vector<T> cells(rows + 1);
    for (T& cell : cells) cell = static_cast<T>(random() % 3 == 0 ? std::numeric_limits<T>::max() : random() % 3);
    for (const T code : {T{0}, T{2}, std::numeric_limits<T>::max()}) {
      Words plane(PlaneWords(rows) + 1, kWordSentinel);
      MatchCodes(std::span<const T>(cells).subspan(1), code, plane.data());
      ASSERT_EQ(plane.back(), kWordSentinel);
      for (std::size_t i = 0; i < 64 * PlaneWords(rows); ++i) {
        ASSERT_EQ(Bit(plane.data(), i), i < rows && cells[i + 1] == code) << rows << " rows, row " << i;
      }
    }
  }
}

TEST(MatchCodes, AllRowCounts) {
  OnEachTarget([] {
    TestMatchCodes<std::uint8_t>();
    TestMatchCodes<std::uint16_t>();
    TestMatchCodes<std::uint32_t>();
  });
}

TEST(MatchRange, AllRowCounts) {
  OnEachTarget([] {
    std::mt19937_64 random(5);
    constexpr Code kLargest = std::numeric_limits<Code>::max();
    for (std::size_t rows = 0; rows <= 330; ++rows) {
      std::vector<Code> cells(rows + 1);
      for (Code& cell : cells) cell = static_cast<Code>(random() % 3 == 0 ? kLargest - random() % 3 : random() % 6);
      for (const auto& [first, last] : {std::pair<Code, Code>{0, 0}, {1, 4}, {5, kLargest - 1}, {0, kLargest}}) {
        Words plane(PlaneWords(rows) + 1, kWordSentinel);
        MatchRange(std::span<const Code>(cells).subspan(1), first, last, plane.data());
        ASSERT_EQ(plane.back(), kWordSentinel);
        for (std::size_t i = 0; i < 64 * PlaneWords(rows); ++i) {
          ASSERT_EQ(Bit(plane.data(), i), i < rows && first <= cells[i + 1] && cells[i + 1] <= last);
        }
      }
    }
  });
}

void TestCompress(const Words& plane, const Words& mask) {
  std::vector<bool> expected;
  for (std::size_t i = 0; i < 64 * mask.size(); ++i) {
    if (Bit(mask.data(), i)) expected.push_back(Bit(plane.data(), i));
  }
  if (expected.empty()) return;
  const PlaneCompressor compressor(mask);
  ASSERT_EQ(compressor.kept(), expected.size());
  Words out(PlaneWords(expected.size()) + 2, kWordSentinel);
  compressor.Compress(plane.data(), out.data() + 1);
  ASSERT_EQ(out.front(), kWordSentinel);
  ASSERT_EQ(out.back(), kWordSentinel);
  for (std::size_t i = 0; i < 64 * PlaneWords(expected.size()); ++i) {
    ASSERT_EQ(Bit(out.data() + 1, i), i < expected.size() && expected[i]) << "bit " << i;
  }
}

TEST(PlaneCompressor, KeepsTheMasksRowsInOrder) {
  OnEachTarget([] {
    std::mt19937_64 random(5);
    for (std::size_t words = 1; words <= 140; ++words) {
      TestCompress(RandomWords(words, random), RandomWords(words, random));
    }
    const Words plane = RandomWords(20, random);
    TestCompress(plane, Words(20, ~std::uint64_t{0}));
    for (std::size_t i = 0; i < 64 * 20; i += 7) {
      Words one(20, 0);
      one[i / 64] = std::uint64_t{1} << (i % 64);
      TestCompress(plane, one);
    }
  });
}

TEST(SubtractRows, AllRowCounts) {
  OnEachTarget([] {
    std::mt19937 random(6);
    for (std::size_t rows = 0; rows < 5; ++rows) {
      std::vector<Count> total(48, 1000);
      std::vector<Count> counts(48 * rows);
      for (Count& count : counts) count = static_cast<Count>(random() % 100);
      std::vector<Count> out(49, kSentinel);
      SubtractRows(total, counts.data(), rows, out.data());
      EXPECT_EQ(out.back(), kSentinel);
      for (std::size_t c = 0; c < 48; ++c) {
        Count expected = 1000;
        for (std::size_t r = 0; r < rows; ++r) expected -= counts[r * 48 + c];
        EXPECT_EQ(out[c], expected);
      }
    }
  });
}

}  // namespace
}  // namespace dtf
