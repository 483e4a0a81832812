// The counting kernel against a bare loop measured in the same program, planes made smaller, and the scoring of
// candidates.
//
// Machines are shared: compare "of_bare" and ratios within a run, not words/s between runs.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <vector>

#include "bare_loop.h"
#include "base/logarithm.h"
#include "count/aligned_terms.h"
#include "count/counting_table.h"
#include "count/planes.h"
#include "count/targets.h"

namespace dtf {
namespace {

void BareLoop(benchmark::State& state) {
  std::uint64_t sum = 0;
  std::size_t words = 0;
  for (auto _ : state) words += bench::RunBareLoop(100000, &sum);
  benchmark::DoNotOptimize(sum);
  state.counters["words/s"] = benchmark::Counter(static_cast<double>(words), benchmark::Counter::kIsRate);
}
BENCHMARK(BareLoop);

std::vector<std::uint64_t> RandomWords(std::size_t size) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> words(size);
  for (auto& word : words) word = random();
  return words;
}

PlanePanels RandomItems(std::size_t items, std::size_t words) {
  const auto planes = RandomWords(items * words);
  PlanePanels panels;
  panels.Reset(items, 1, words);
  for (std::size_t panel = 0; panel < panels.panels(); ++panel) {
    std::array<const std::uint64_t*, PlanePanels::kLanes> sources{};
    for (std::size_t i = 0; i < sources.size(); ++i) sources[i] = planes.data() + (panel * 16 + i) * words;
    panels.Pack(panel, 0, sources, nullptr);
  }
  return panels;
}

// 256 candidates × 784 planes of so many words.
void CountKernel(benchmark::State& state, const char* target) {
  if (!ForceCountingTarget(target)) return state.SkipWithError("no such target");
  constexpr std::size_t kItems = 256;
  constexpr std::size_t kPlanes = 784;
  const auto words = static_cast<std::size_t>(state.range(0));
  const PlanePanels items = RandomItems(kItems, words);
  const auto planes = RandomWords(kPlanes * words);
  std::vector<std::uint32_t> rows(kPlanes);
  std::iota(rows.begin(), rows.end(), 0u);
  std::vector<Count> counts(kItems * kPlanes);
  for (auto _ : state) CountPlanes(items, {planes.data(), kPlanes, words}, {counts.data(), kItems, rows.data(), 0});
  const double done = static_cast<double>(state.iterations() * kItems * kPlanes * words);
  state.counters["words/s"] = benchmark::Counter(done, benchmark::Counter::kIsRate);
  state.counters["of_bare"] = benchmark::Counter(done / bench::BareWordsPerSecond(), benchmark::Counter::kIsRate);
  ForceCountingTarget(nullptr);
}

// A child's planes from its parent's: 784 planes of so many words, of which every fourth row is kept.
void Compress(benchmark::State& state, const char* target) {
  if (!ForceCountingTarget(target)) return state.SkipWithError("no such target");
  constexpr std::size_t kPlanes = 784;
  const auto words = static_cast<std::size_t>(state.range(0));
  const auto planes = RandomWords(kPlanes * words);
  std::vector<std::uint64_t> mask(words);
  for (std::size_t w = 0; w < words; ++w) mask[w] = planes[w] & planes[w + words];
  std::vector<std::uint64_t> kept(words);
  for (auto _ : state) {
    const PlaneCompressor compressor(mask);
    for (std::size_t plane = 0; plane < kPlanes; ++plane) {
      compressor.Compress(planes.data() + plane * words, kept.data());
      benchmark::DoNotOptimize(kept.data());
    }
  }
  const double done = static_cast<double>(state.iterations() * kPlanes * words);
  state.counters["words/s"] = benchmark::Counter(done, benchmark::Counter::kIsRate);
  ForceCountingTarget(nullptr);
}

// 512 candidates on one feature of so many codes in a node of so many rows.
void ScoreCandidates(benchmark::State& state, const char* target) {
  if (!ForceCountingTarget(target)) return state.SkipWithError("no such target");
  constexpr std::size_t kCandidates = 512;
  const auto codes = static_cast<std::size_t>(state.range(0));
  const auto rows = static_cast<Count>(state.range(1));
  std::mt19937 random(1);
  Ragged<Code> present;
  present.Append(std::vector<Code>(codes));
  BlockCounts counts;
  counts.Reset(present, 0, 1, kCandidates);
  std::vector<Count> node(codes);
  for (Count i = 0; i < rows; ++i) ++node[std::min(random() % codes, random() % codes)];
  for (Count& count : node) count = std::max(count, Count{1});
  for (std::size_t i = 0; i < codes; ++i) {
    for (std::size_t c = 0; c < kCandidates; ++c) counts.Row(0, i)[c] = static_cast<Count>(random() % (node[i] + 1));
  }
  const std::vector<Count> beside(codes, 100);
  std::vector<double> values;
  for (std::size_t i = 0; i <= rows + codes + 100; ++i) values.push_back(XLogX(static_cast<double>(i)));
  std::vector<double> scores(kCandidates);
  for (auto _ : state) {
    AddAlignedTerms(counts, 0, {node, beside, values, 0}, scores);
    benchmark::DoNotOptimize(scores.data());
  }
  const double pairs = static_cast<double>(state.iterations() * kCandidates);
  state.counters["pairs/s"] = benchmark::Counter(pairs, benchmark::Counter::kIsRate);
  ForceCountingTarget(nullptr);
}

// All candidates of a node of `features` columns with `codes` codes and `rows` rows: planes, counts, no scores.
void CountNode(benchmark::State& state) {
  const auto features = static_cast<std::size_t>(state.range(0));
  const auto codes = static_cast<Code>(state.range(1));
  const auto row_count = static_cast<std::size_t>(state.range(2));
  const std::vector<Code> sizes(features, codes);
  CodeTable table = CodeTable::WithSizes(row_count, sizes);
  std::mt19937 random(1);
  for (CodeColumn& column : table.columns) {
    for (std::size_t i = 0; i < row_count; ++i) column.Set(i, static_cast<Code>(random() % codes));
  }
  const CodeLayout layout(sizes);
  const CountingTable counting(table, layout, {});
  std::vector<std::uint32_t> rows(row_count);
  std::iota(rows.begin(), rows.end(), 0u);
  const NodeCounts node = counting.CountRows(rows);
  std::vector<Candidate> candidates;
  for (Feature j = 0; j < features; ++j) {
    for (Code code = codes == 2 ? 1 : 0; code < codes; ++code) candidates.push_back({j, code});
  }
  CandidateBlock block;
  BlockCounts counts;
  std::size_t words = 0;  // of all planes; 0 where rows are counted one by one
  for (auto _ : state) {
    const NodeCounter counter(counting, rows, node);
    for (std::size_t first = 0; first < candidates.size(); first += counter.MostCandidates()) {
      counter.Prepare(
          std::span(candidates).subspan(first, std::min(counter.MostCandidates(), candidates.size() - first)), block);
      for (Feature j = 0; j < features;) {
        const Feature end = counter.RangeEnd(j, block.width());
        counter.Count(block, j, end, counts);
        j = end;
      }
    }
    words = counter.planes().Of(0, static_cast<Feature>(features)).planes * counter.planes().words();
  }
  const auto rounds = static_cast<double>(state.iterations() * candidates.size());
  const double pairs = rounds * static_cast<double>(features);
  state.counters["pairs/s"] = benchmark::Counter(pairs, benchmark::Counter::kIsRate);
  if (words == 0) return;
  const double of_bare = rounds * static_cast<double>(words) / bench::BareWordsPerSecond();
  state.counters["of_bare"] = benchmark::Counter(of_bare, benchmark::Counter::kIsRate);
}
BENCHMARK(CountNode)
    ->ArgNames({"features", "codes", "rows"})
    ->Args({784, 2, 46000})
    ->Args({784, 2, 500})
    ->Args({22, 5, 5200})
    ->Args({14, 60, 32000})
    ->Unit(benchmark::kMillisecond);

const bool registered = [] {
  for (const char* target : CountingTargets()) {
    const std::string count = std::string("CountKernel/") + target;
    benchmark::RegisterBenchmark(count.c_str(), CountKernel, target)
        ->ArgName("words")
        ->Arg(4)
        ->Arg(16)
        ->Arg(64)
        ->Arg(719);
    const std::string compress = std::string("Compress/") + target;
    benchmark::RegisterBenchmark(compress.c_str(), Compress, target)->ArgName("words")->Arg(64)->Arg(719);
    const std::string score = std::string("ScoreCandidates/") + target;
    benchmark::RegisterBenchmark(score.c_str(), ScoreCandidates, target)
        ->ArgNames({"codes", "rows"})
        ->Args({2, 40})
        ->Args({2, 500})
        ->Args({2, 46000})
        ->Args({4, 2000})
        ->Args({8, 2000})
        ->Args({16, 5000})
        ->Args({17, 5000})
        ->Args({24, 5000})
        ->Args({32, 5000})
        ->Args({33, 5000})
        ->Args({64, 10000})
        ->Args({91, 10000})
        ->Args({1000, 50000});
  }
  return true;
}();

}  // namespace
}  // namespace dtf
