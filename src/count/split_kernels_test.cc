#include "count/split_kernels.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <vector>

#include "count/target_test_util.h"

namespace dtf {
namespace {

using Words = std::vector<std::uint64_t>;

Words RandomWords(std::size_t size, std::mt19937_64& random) {
  Words words(size);
  for (auto& word : words) word = random() % 4 == 0 ? 0 : random() & random();
  return words;
}

TEST(SplitKernels, SumsAndPassingRowsAreAPlainLoop) {
  OnEachTarget([] {
    std::mt19937_64 random(1);
    for (const std::size_t words : {1, 2, 4, 5, 11}) {
      for (const std::size_t items : {1, 15, 16, 17, 40}) {
        for (const bool is_signed : {false, true}) {
          const Words tests = RandomWords(items * words, random);
          const PlanePanels panels = PackPlanes({tests.data(), items, words});
          SummedPlanes summed = {nullptr, words, 5, 3, is_signed};
          const Words planes = RandomWords(summed.planes() * words, random);
          summed.first_plane = planes.data();
          std::vector<std::int32_t> first(panels.panels() * 16 + 1, 99);
          std::vector<std::int32_t> second(panels.panels() * 16 + 1, 99);
          AlignedBuffer<Count> scratch;
          SumPassing(panels, summed, first.data(), second.data(), scratch);
          EXPECT_EQ(first.back(), 99);
          EXPECT_EQ(second.back(), 99);
          for (std::size_t t = 0; t < items; ++t) {
            std::int32_t sums[2] = {};
            for (int p = 0; p < 8; ++p) {
              for (std::size_t w = 0; w < words; ++w) {
                const auto both = planes[static_cast<std::size_t>(p) * words + w] & tests[t * words + w];
                const int sum = std::popcount(both) << (p < 5 ? p : p - 5);
                sums[p < 5 ? 0 : 1] += is_signed && p == 4 ? -sum : sum;
              }
            }
            ASSERT_EQ(first[t], sums[0]);
            ASSERT_EQ(second[t], sums[1]);
          }
          const Words rows = RandomWords(words, random);
          Words passing(words);
          const std::size_t count = FindPassing(panels, items - 1, rows.data(), passing.data());
          std::size_t expected = 0;
          for (std::size_t w = 0; w < words; ++w) {
            ASSERT_EQ(passing[w], rows[w] & tests[(items - 1) * words + w]);
            expected += static_cast<std::size_t>(std::popcount(passing[w]));
          }
          ASSERT_EQ(count, expected);
        }
      }
    }
  });
}

// The gain of one split, with the roundings that all targets must have.
float Gain(const NewtonTerms& terms, float all_g, float all_h, std::int32_t gradient, std::int32_t hessian) {
  const float g = static_cast<float>(gradient) * terms.gradient_unit;
  const float h = static_cast<float>(hessian) * terms.hessian_unit;
  if (h < terms.min_hessian || all_h - h < terms.min_hessian) return 0;
  const float pass = g * g / (h + terms.lambda);
  const float fail = (all_g - g) * (all_g - g) / (all_h - h + terms.lambda);
  return 0.5f * (pass + fail - all_g * all_g / (all_h + terms.lambda)) - terms.min_gain;
}

TEST(SplitKernels, TheFirstOfTheBestNewtonSplits) {
  const NewtonTerms terms = {0.013f, 0.0071f, 1.5f, 0.3f, 0.01f};
  OnEachTarget([&] {
    std::mt19937_64 random(2);
    for (std::size_t size = 1; size < 70; ++size) {
      const std::int32_t all_gradient = static_cast<std::int32_t>(random() % 2000) - 1000;
      const std::int32_t all_hessian = 2000;
      std::vector<std::int32_t> gradients(size);
      std::vector<std::int32_t> hessians(size);
      for (std::size_t t = 0; t < size; ++t) {
        // Few values: many ties.
        gradients[t] = static_cast<std::int32_t>(random() % 5) * 300 - 600;
        hessians[t] = static_cast<std::int32_t>(random() % 3) * 1000;
      }
      const float all_g = static_cast<float>(all_gradient) * terms.gradient_unit;
      const float all_h = static_cast<float>(all_hessian) * terms.hessian_unit;
      SplitChoice expected;
      for (std::size_t t = 0; t < size; ++t) {
        const float gain = Gain(terms, all_g, all_h, gradients[t], hessians[t]);
        if (gain > expected.gain) expected = {t, gain};
      }
      const SplitChoice choice = FindBestNewtonSplit(terms, all_gradient, all_hessian, gradients, hessians);
      EXPECT_EQ(choice.gain, expected.gain);
      EXPECT_EQ(choice.gain > 0 ? choice.test : 0, expected.test);
    }
    EXPECT_EQ(FindBestNewtonSplit(terms, 5, 5, {}, {}).gain, 0);
  });
}

}  // namespace
}  // namespace dtf
