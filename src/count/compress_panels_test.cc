#include "count/compress_panels.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "count/target_test_util.h"

namespace dtf {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t kSentinel = 0xFEEDFACECAFEBEEF;

Words RandomWords(std::size_t size, std::mt19937_64& random) {
  Words words(size);
  for (auto& word : words) word = random();
  return words;
}

// The rows of `mask`, bit by bit.
Words Compressed(const std::uint64_t* plane, const Words& mask) {
  Words out;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < 64 * mask.size(); ++i) {
    if (!(mask[i / 64] >> (i % 64) & 1)) continue;
    if (rows % 64 == 0) out.push_back(0);
    out[rows / 64] |= (plane[i / 64] >> (i % 64) & 1) << (rows % 64);
    ++rows;
  }
  return out;
}

void TestMask(const Words& mask, std::mt19937_64& random) {
  const std::size_t words = mask.size();
  constexpr std::size_t kPlanes = 21;
  const Words planes = RandomWords(kPlanes * words, random);
  const std::size_t kept = Compressed(planes.data(), mask).size();

  Words out(kPlanes * kept + 1, kSentinel);
  CompressPlanes({planes.data(), kPlanes, words}, mask, out.data());
  EXPECT_EQ(out.back(), kSentinel);
  Words one(kept + 1, kSentinel);
  CompressPlane(planes.data(), mask, one.data());
  EXPECT_EQ(one.back(), kSentinel);

  const PlanePanels from = PackPlanes({planes.data(), kPlanes, words});
  PlanePanels to;
  CompressPanels(from, mask, to);
  ASSERT_EQ(to.items(), kPlanes);
  ASSERT_EQ(to.words(), kept);
  for (std::size_t p = 0; p < kPlanes; ++p) {
    const Words expected = Compressed(planes.data() + p * words, mask);
    for (std::size_t w = 0; w < kept; ++w) {
      ASSERT_EQ(out[p * kept + w], expected[w]) << "plane " << p << " word " << w;
      ASSERT_EQ(to.Panel(p / 16, 0)[16 * w + p % 16], expected[w]) << "item " << p << " word " << w;
      if (p > 0) continue;
      ASSERT_EQ(one[w], expected[w]);
    }
  }
}

TEST(CompressPanels, KeepsTheMasksRowsInOrder) {
  OnEachTarget([] {
    std::mt19937_64 random(1);
    for (const std::size_t words : {1, 2, 3, 8, 17, 40}) {
      for (int density = 0; density < 5; ++density) {
        Words mask = RandomWords(words, random);
        for (int i = 0; i < density; ++i) {
          for (auto& word : mask) word &= random() % 4 == 0 ? 0 : random();
        }
        mask[words / 2] |= 1;
        TestMask(mask, random);
      }
      TestMask(Words(words, ~std::uint64_t{0}), random);
      Words last(words, 0);
      last.back() = std::uint64_t{1} << 63;
      TestMask(last, random);
      // Words that just fill up, and spill over at the end.
      Words halves(words, 0xFFFFFFFF);
      halves.back() = ~std::uint64_t{0};
      TestMask(halves, random);
    }
  });
}

}  // namespace
}  // namespace dtf
