// Counter-based random numbers (Philox4x64-10; Salmon et al., SC 2011): a number depends on its stream and its position
// only, so results are the same whatever the order or the number of threads that draw them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace dtf {

// What a stream is for; keeps streams of one seed apart.
enum class RandomPurpose : std::uint64_t {
  kSplit = 1,
  kFeatures = 2,
  kSample = 3,
  kShuffle = 5,
  kBins = 6,
  kOrder = 7,
  kQuestion = 8,
  kBoost = 9,
  kClasses = 10,
  kHiddenTree = 11
};

class RandomStream {
 public:
  RandomStream(std::uint64_t seed, RandomPurpose purpose, std::uint64_t a, std::uint64_t b = 0)
      : key_{seed, static_cast<std::uint64_t>(purpose)}, counter_{0, a, b, 0} {}

  // Numbers are drawn in blocks of so many.
  static constexpr std::size_t kBlock = 4;

  // The stream's numbers kBlock · index, …, whatever Next() has returned.
  std::array<std::uint64_t, kBlock> Block(std::uint64_t index) const;

  std::uint64_t Next() {
    if (used_ == kBlock) {
      block_ = Block(counter_[0]++);
      used_ = 0;
    }
    return block_[used_++];
  }

  // Uniform in [0, 1), a multiple of 2^-53.
  double Uniform() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

  // Uniform in {0, …, n - 1}, exactly. REQUIRES: n > 0.
  std::uint64_t Below(std::uint64_t n) {
    const std::uint64_t limit = -n % n;  // 2^64 mod n: draws below it are rejected, for equal probabilities
    std::uint64_t draw = Next();
    while (draw < limit) draw = Next();
    return draw % n;
  }

  // Brings so many of the values to the front, each choice and order of them equally likely (Fisher, Yates 1938).
  // REQUIRES: count <= values.size().
  template <typename T>
  void DrawFirst(std::span<T> values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) std::swap(values[i], values[i + Below(values.size() - i)]);
  }

 private:
  std::array<std::uint64_t, 2> key_;
  std::array<std::uint64_t, kBlock> counter_;
  std::array<std::uint64_t, kBlock> block_{};
  std::size_t used_ = kBlock;
};

}  // namespace dtf
