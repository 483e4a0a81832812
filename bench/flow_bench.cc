// Applying a flow: cells a second through encode, decode, log-likelihood and sampling, on one thread, the table in
// memory. The flow is 8 layers deep 6 on a table of Mushroom's shape: 22 columns with 2 to 12 categories.
#include <benchmark/benchmark.h>

#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/random.h"
#include "flow/layered_flow.h"
#include "learn/tsp/fit_layers.h"

namespace dtf {
namespace {

constexpr std::size_t kRows = 8192;

// Columns that depend on one hidden class, so that trees find something to split on.
WeightedRows MakeRows(const std::vector<Code>& sizes) {
  RandomStream random(1, RandomPurpose::kSample, 0);
  WeightedRows rows{CodeTable::WithSizes(kRows, sizes), {}, 1};
  for (std::size_t i = 0; i < kRows; ++i) {
    const std::uint64_t hidden = random.Below(20);
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      const std::uint64_t code = random.Below(4) > 0 ? hidden * (j + 3) : random.Below(sizes[j]);
      rows.codes.columns[j].Set(i, static_cast<Code>(code % sizes[j]));
    }
  }
  return rows;
}

struct Fitted {
  std::vector<Code> sizes;
  WeightedRows rows;
  LayeredFlow flow;
};

const Fitted& MushroomShaped() {
  static const Fitted fitted = [] {
    std::vector<Code> sizes = {2, 6, 4, 10, 2, 9, 2, 2, 2, 12, 2, 4, 4, 9, 9, 1, 4, 3, 5, 9, 6, 7};
    WeightedRows rows = MakeRows(sizes);
    LayerOptions options;
    options.layers = 8;
    options.grow.min_split_rows = 200;
    LayeredFlow flow = FitLayers(rows, std::nullopt, sizes, options, [](const LearningCurvePoint&) {}).flow;
    return Fitted{std::move(sizes), std::move(rows), std::move(flow)};
  }();
  return fitted;
}

// f: of the flow, a block and the number of its first row.
template <typename F>
void RunBlocks(benchmark::State& state, const F& f) {
  const Fitted& fitted = MushroomShaped();
  const std::size_t block_rows = fitted.flow.BlockRows();
  for ([[maybe_unused]] auto round : state) {
    for (std::size_t first = 0; first + block_rows <= kRows; first += block_rows) {
      f(fitted.flow, CodeBlock(fitted.rows.codes, first, block_rows), first);
    }
  }
  const auto cells = static_cast<double>(kRows / block_rows * block_rows * fitted.sizes.size());
  state.counters["cells/s"] = benchmark::Counter(cells, benchmark::Counter::kIsIterationInvariantRate);
}

void BM_Encode(benchmark::State& state) {
  RunBlocks(state, [](const LayeredFlow& flow, CodeBlock block, std::size_t) {
    benchmark::DoNotOptimize(flow.Encode(std::move(block)));
  });
}
void BM_Decode(benchmark::State& state) {
  RunBlocks(state, [](const LayeredFlow& flow, CodeBlock block, std::size_t) {
    benchmark::DoNotOptimize(flow.Decode(std::move(block)));
  });
}
void BM_LogProb(benchmark::State& state) {
  std::vector<double> scores(kRows);
  RunBlocks(state, [&](const LayeredFlow& flow, CodeBlock block, std::size_t) {
    flow.LogProb(std::move(block), scores);
    benchmark::DoNotOptimize(scores.data());
  });
}
void BM_Sample(benchmark::State& state) {
  RunBlocks(state, [](const LayeredFlow& flow, CodeBlock block, std::size_t first) {
    flow.Sample(1, first, block);
    benchmark::DoNotOptimize(block);
  });
}

// Sampling without the decoding.
void BM_DrawLatent(benchmark::State& state) {
  std::vector<std::uint64_t> numbers(kRows);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  RunBlocks(state, [&](const LayeredFlow& flow, CodeBlock block, std::size_t first) {
    flow.independent_base().SampleRows(1, std::span(numbers).subspan(first, block.rows()), block);
    benchmark::DoNotOptimize(block);
  });
}

BENCHMARK(BM_Encode);
BENCHMARK(BM_Decode);
BENCHMARK(BM_LogProb);
BENCHMARK(BM_Sample);
BENCHMARK(BM_DrawLatent);

}  // namespace
}  // namespace dtf
