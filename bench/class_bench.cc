// A step of learning latent classes: the network forward and back, and a batch of generated rows.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "count/aligned_buffer.h"
#include "count/class_kernels.h"
#include "learn/classes/class_network.h"

namespace dtf {
namespace {

constexpr std::size_t kClasses = 128;
constexpr std::size_t kBatch = 128;

// Products of two numbers, each added to a sum.
void ClassNetworkStep(benchmark::State& state) {
  const auto logits = static_cast<std::size_t>(state.range(0));
  ClassNetwork network(std::vector<float>(logits, -1), kClasses, 1, 0);
  for ([[maybe_unused]] auto round : state) {
    benchmark::DoNotOptimize(network.FindLogits().data());
    std::ranges::fill(network.gradient(), 0.1f);
    benchmark::DoNotOptimize(network.PassBack().data());
  }
  const double products = ClassNetwork::ProductsOfStep(logits) * kClasses;
  state.counters["products/s"] =
      benchmark::Counter(products * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

// Of each row one logit of so many per class; sums to and from it.
void ClassRows(benchmark::State& state) {
  const auto logits = static_cast<std::size_t>(state.range(0));
  const std::size_t own = logits / static_cast<std::size_t>(state.range(1));
  AlignedBuffer<float> numbers;
  float* first = numbers.Resize((2 * logits + 3) * kClasses);
  std::fill_n(first, (2 * logits + 3) * kClasses, -1.0f);
  float* lists = first + 2 * logits * kClasses;
  RandomStream random(1, RandomPurpose::kSample, 0);
  std::vector<std::uint32_t> rows(kBatch * own);
  for (std::uint32_t& row : rows) row = static_cast<std::uint32_t>(random.Below(logits) * kClasses);
  for ([[maybe_unused]] auto round : state) {
    for (std::size_t i = 0; i < kBatch; ++i) {
      AddRow(std::span(rows).subspan(i * own, own), first, {lists, kClasses}, first + logits * kClasses,
             {lists + kClasses, kClasses}, {lists + 2 * kClasses, kClasses});
    }
    benchmark::ClobberMemory();
  }
  const auto added = static_cast<double>(state.iterations()) * static_cast<double>(kBatch * own * kClasses);
  state.counters["row-logits/s"] = benchmark::Counter(added, benchmark::Counter::kIsRate);
}

BENCHMARK(ClassNetworkStep)->ArgName("logits")->Arg(16)->Arg(135)->Unit(benchmark::kMicrosecond);
BENCHMARK(ClassRows)->ArgNames({"logits", "share"})->Args({135, 40})->Args({100, 2})->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace dtf
