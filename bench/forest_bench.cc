// Summing the trees of a yes/no question over rows: what scoring and sampling a forest spends its time with. Generated
// trees and planes; trees are grown at random leaves, which makes them about as deep as learnt ones.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "count/packed_trees.h"

namespace dtf {
namespace {

constexpr std::size_t kTests = 67;
constexpr std::size_t kRows = 4096;
constexpr std::size_t kWords = PackedPlaneWords(kRows);

LogitTree GrowTree(RandomStream& random, std::size_t leaves) {
  LogitTree tree;
  std::vector<std::int32_t*> open;
  tree.nodes.reserve(leaves);
  while (tree.nodes.size() + 1 < leaves) {
    const auto node = static_cast<std::int32_t>(tree.nodes.size());
    if (node > 0) {
      std::int32_t*& split = open[random.Below(open.size())];
      *split = node;
      split = open.back();
      open.pop_back();
    }
    tree.nodes.push_back({static_cast<std::uint32_t>(random.Below(kTests)), 0, 0});
    open.push_back(&tree.nodes.back().pass);
    open.push_back(&tree.nodes.back().fail);
  }
  for (std::int32_t* leaf : open) {
    tree.leaves.push_back(static_cast<Logit>(random.Below(1 << 14)));
    *leaf = -static_cast<std::int32_t>(tree.leaves.size());
  }
  return tree;
}

// Of all rows, or of one in `share`.
void SumTrees(benchmark::State& state) {
  RandomStream random(1, RandomPurpose::kSample, 0);
  std::vector<LogitTree> trees(static_cast<std::size_t>(state.range(0)));
  for (LogitTree& tree : trees) tree = GrowTree(random, static_cast<std::size_t>(state.range(1)));
  std::vector<std::uint64_t> planes(kTests * kWords);
  for (std::uint64_t& word : planes) word = random.Next();
  std::vector<std::uint64_t> mask(kWords);
  std::size_t rows = 0;
  for (std::size_t row = 0; row < kRows; ++row) {
    if (random.Below(static_cast<std::uint64_t>(state.range(2))) != 0) continue;
    mask[row / 64] |= std::uint64_t{1} << (row % 64);
    ++rows;
  }
  const PackedTrees packed({}, trees);
  PackedTrees::Scratch scratch;
  std::vector<Logit> logits(kRows);
  for ([[maybe_unused]] auto round : state) {
    packed.Sum(0, {planes.data(), kTests, kWords}, mask, scratch, logits);
    benchmark::DoNotOptimize(logits.data());
  }
  const auto sums = static_cast<double>(state.iterations()) * static_cast<double>(rows);
  state.counters["rows/s"] = benchmark::Counter(sums, benchmark::Counter::kIsRate);
  const double leaves = sums * static_cast<double>(state.range(0) * state.range(1));
  state.counters["row-leaves/s"] = benchmark::Counter(leaves, benchmark::Counter::kIsRate);
}

void PackTrees(benchmark::State& state) {
  RandomStream random(1, RandomPurpose::kSample, 0);
  std::vector<LogitTree> trees(static_cast<std::size_t>(state.range(0)));
  for (LogitTree& tree : trees) tree = GrowTree(random, static_cast<std::size_t>(state.range(1)));
  for ([[maybe_unused]] auto round : state) benchmark::DoNotOptimize(PackedTrees({}, trees));
  const auto leaves = static_cast<double>(state.iterations() * state.range(0) * state.range(1));
  state.counters["leaves/s"] = benchmark::Counter(leaves, benchmark::Counter::kIsRate);
}

BENCHMARK(SumTrees)
    ->ArgNames({"trees", "leaves", "share"})
    ->Args({60, 288, 1})
    ->Args({30, 1200, 1})
    ->Args({40, 30, 1})
    ->Args({80, 12, 1})
    ->Args({80, 12, 16})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(PackTrees)->ArgNames({"trees", "leaves"})->Args({60, 288})->Args({80, 12})->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace dtf
