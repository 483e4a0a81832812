#include "bare_loop.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>

#ifdef __AVX512VPOPCNTDQ__
#include <immintrin.h>

#include <numeric>
#else
#include <bit>
#endif

namespace dtf::bench {
namespace {

constexpr std::size_t kItems = 4;
constexpr std::size_t kPlanes = 4;

#ifdef __AVX512VPOPCNTDQ__
using Vector = __m512i;
Vector Load(const std::uint64_t* from) { return _mm512_load_si512(from); }
Vector Counted(Vector sum, Vector a, Vector b) {
  return _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_and_si512(a, b)));
}
std::uint64_t Total(Vector sum) {
  alignas(64) std::uint64_t lanes[8];
  _mm512_store_si512(lanes, sum);
  return std::accumulate(lanes, lanes + 8, std::uint64_t{0});
}
#else
using Vector = std::uint64_t;
Vector Load(const std::uint64_t* from) { return *from; }
Vector Counted(Vector sum, Vector a, Vector b) { return sum + static_cast<std::uint64_t>(std::popcount(a & b)); }
std::uint64_t Total(Vector sum) { return sum; }
#endif

constexpr std::size_t kWords = sizeof(Vector) / sizeof(std::uint64_t);
constexpr std::size_t kVectors = 32;

}  // namespace

std::size_t RunBareLoop(std::size_t steps, std::uint64_t* sum) {
  alignas(64) static std::array<std::uint64_t, 2 * kVectors * kWords> data;
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = i * 0x9E3779B97F4A7C15u;
  Vector sums[kPlanes][kItems] = {};
  for (std::size_t step = 0; step < steps; ++step) {
    Vector item[kItems];
    for (std::size_t i = 0; i < kItems; ++i) item[i] = Load(data.data() + (step + i) % kVectors * kWords);
    for (std::size_t b = 0; b < kPlanes; ++b) {
      const Vector plane = Load(data.data() + (kVectors + (step + b) % kVectors) * kWords);
      for (std::size_t i = 0; i < kItems; ++i) sums[b][i] = Counted(sums[b][i], item[i], plane);
    }
  }
  for (const auto& row : sums) {
    for (const Vector& of_pair : row) *sum += Total(of_pair);
  }
  return steps * kItems * kPlanes * kWords;
}

double BareWordsPerSecond() {
  static const double best = [] {
    double most = 0;
    std::uint64_t sum = 0;
    for (int i = 0; i < 20; ++i) {
      const auto start = std::chrono::steady_clock::now();
      const std::size_t words = RunBareLoop(100000, &sum);
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      most = std::max(most, static_cast<double>(words) / seconds.count());
    }
    benchmark::DoNotOptimize(sum);
    return most;
  }();
  return best;
}

}  // namespace dtf::bench
