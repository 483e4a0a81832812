// Steps of learning latent classes: the network forward and back, a batch of generated rows, and one with its answers.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "count/aligned_buffer.h"
#include "count/class_answers.h"
#include "count/class_kernels.h"
#include "learn/classes/class_network.h"

namespace dtf {
namespace {

constexpr std::size_t kClasses = 128;
constexpr std::size_t kAskedClasses = 64;
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

// A row's answers to so many questions, in each class.
void ClassAnswersOfRow(benchmark::State& state) {
  const auto questions = static_cast<std::size_t>(state.range(0));
  AlignedBuffer<float> numbers;
  const std::span<float> logits(numbers.Resize((4 * questions + 1) * kAskedClasses), questions * kAskedClasses);
  const std::span<float> odds(logits.data() + logits.size(), logits.size());
  const std::span<float> gradient(odds.data() + logits.size(), logits.size());
  const std::span<float> scratch(gradient.data() + logits.size(), logits.size() + kAskedClasses);
  std::ranges::fill(logits, -1.0f);
  std::ranges::fill(gradient, 0.0f);
  FindOdds(logits, odds);
  RandomStream random(1, RandomPurpose::kSample, 0);
  std::vector<RowAnswer> answers;
  for (std::uint32_t q = 0; q < questions; ++q) answers.push_back({q, random.Below(8) == 0});
  const std::vector<float> shift_odds(questions, 1.5f);
  std::vector<float> to_shifts(questions);
  for ([[maybe_unused]] auto round : state) {
    AddAnswers(answers, {logits, odds, kAskedClasses}, shift_odds, scratch, gradient, to_shifts);
    benchmark::ClobberMemory();
  }
  const auto added = static_cast<double>(state.iterations()) * static_cast<double>(questions * kAskedClasses);
  state.counters["answers/s"] = benchmark::Counter(added, benchmark::Counter::kIsRate);
}

BENCHMARK(ClassNetworkStep)->ArgName("logits")->Arg(16)->Arg(135)->Unit(benchmark::kMicrosecond);
BENCHMARK(ClassRows)->ArgNames({"logits", "share"})->Args({135, 40})->Args({100, 2})->Unit(benchmark::kMicrosecond);
BENCHMARK(ClassAnswersOfRow)->ArgName("questions")->Arg(16)->Arg(135)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace dtf
