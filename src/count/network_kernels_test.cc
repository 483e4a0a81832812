#include "count/network_kernels.h"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "count/aligned_buffer.h"
#include "count/target_test_util.h"

namespace dtf {
namespace {

class Numbers {
 public:
  Numbers(std::size_t size, std::mt19937_64& random) : size_(size) {
    std::normal_distribution<float> normal;
    buffer_.Resize(size);
    for (float& number : span()) number = normal(random);
  }
  Numbers(const Numbers& other) : size_(other.size_) {
    buffer_.Resize(size_);
    std::ranges::copy(other.span(), buffer_.data());
  }

  float* data() { return buffer_.data(); }
  std::span<float> span() { return {buffer_.data(), size_}; }
  std::span<const float> span() const { return {buffer_.data(), size_}; }
  std::vector<float> list() const { return {span().begin(), span().end()}; }

 private:
  std::size_t size_;
  AlignedBuffer<float> buffer_;
};

// Each entry's terms one after the other, each product and sum rounded: what the definition says.
TEST(NetworkKernels, ProductsAreSumsInOrder) {
  std::mt19937_64 random(1);
  for (const std::size_t rows : {1, 3, 4, 7, 64}) {
    for (const std::size_t inner : {1, 5, 33}) {
      for (const std::size_t columns : {32, 96}) {
        for (const bool transposed : {false, true}) {
          Numbers left(rows * inner, random);
          Numbers right(inner * columns, random);
          const Numbers before(rows * columns, random);
          std::vector<float> expected = before.list();
          const LeftFactor factor{left.data(), transposed ? 1 : inner, transposed ? rows : 1};
          for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < columns; ++j) {
              for (std::size_t k = 0; k < inner; ++k) {
                const float product =
                    factor.first[i * factor.row_step + k * factor.column_step] * right.data()[k * columns + j];
                expected[i * columns + j] += product;
              }
            }
          }
          OnEachTarget([&] {
            Numbers sum = before;
            AddProduct(factor, right.data(), rows, inner, columns, sum.data());
            EXPECT_EQ(sum.list(), expected) << rows << " × " << inner << " × " << columns;
          });
        }
      }
    }
  }
}

TEST(NetworkKernels, ActivationAndItsGradientAreThoseOfOneFunction) {
  std::mt19937_64 random(2);
  const Numbers units(96, random);
  const Numbers gradient(96, random);
  OnEachTarget([&] {
    Numbers active = units;
    Rectify(active.span());
    Numbers passed = gradient;
    RectifyGradient(active.span(), passed.span());
    for (std::size_t i = 0; i < 96; ++i) {
      const float slope = units.span()[i] < 0 ? 0.01f : 1.0f;
      EXPECT_EQ(active.span()[i], slope * units.span()[i]);
      EXPECT_EQ(passed.span()[i], slope * gradient.span()[i]);
    }
  });
}

// Against the published update in double precision, over a few steps; on each target the same bytes.
TEST(NetworkKernels, AdamMovesAsPublished) {
  std::mt19937_64 random(3);
  const Numbers start(64, random);
  std::vector<Numbers> gradients;
  for (int step = 0; step < 5; ++step) gradients.emplace_back(64, random);
  constexpr double kRate = 0.01;
  constexpr double kDecay = 0.001;
  constexpr double kShare = 0.25;
  std::vector<double> expected(start.span().begin(), start.span().end());
  std::vector<double> means(64, 0);
  std::vector<double> squares(64, 0);
  for (int step = 0; step < 5; ++step) {
    for (std::size_t i = 0; i < 64; ++i) {
      const double gradient = kShare * gradients[step].span()[i];
      means[i] = 0.9 * means[i] + 0.1 * gradient;
      squares[i] = 0.999 * squares[i] + 0.001 * gradient * gradient;
      const double mean = means[i] / (1 - std::pow(0.9, step + 1));
      const double square = squares[i] / (1 - std::pow(0.999, step + 1));
      expected[i] = (1 - kDecay) * expected[i] - kRate * mean / (std::sqrt(square) + 1e-8);
    }
  }
  std::vector<float> first;
  OnEachTarget([&] {
    Numbers parameters = start;
    Numbers mean = start;
    Numbers square = start;
    std::ranges::fill(mean.span(), 0.0f);
    std::ranges::fill(square.span(), 0.0f);
    for (int step = 0; step < 5; ++step) {
      MoveByAdam({.rate = static_cast<float>(kRate / (1 - std::pow(0.9, step + 1))),
                  .decay = static_cast<float>(kDecay),
                  .share = static_cast<float>(kShare),
                  .square_scale = static_cast<float>(1 / (1 - std::pow(0.999, step + 1)))},
                 parameters.span(), gradients[step].span(), mean.span(), square.span());
    }
    for (std::size_t i = 0; i < 64; ++i) EXPECT_NEAR(parameters.span()[i], expected[i], 1e-5);
    if (first.empty()) first = parameters.list();
    EXPECT_EQ(parameters.list(), first);
  });
}

}  // namespace
}  // namespace dtf
