// Growing one boosted tree over quantised gradients, on a generated 0/1 table whose columns all depend on a hidden
// class: the counting alone, against the bare loop measured in the same program, and the whole tree. And whole rounds
// of boosting on a table of one's own, named by the environment variable DTF_BENCH_TABLE.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "bare_loop.h"
#include "base/random.h"
#include "count/logistic.h"
#include "count/split_kernels.h"
#include "dtf/io.h"
#include "learn/questions/boosted.h"
#include "learn/questions/newton_rule.h"

namespace dtf {
namespace {

constexpr std::uint64_t kClasses = 20;
constexpr QuantisedBits kBits = {};  // as Boost chooses for rows without weights

// A question about the class, after no round of boosting.
struct Question {
  std::size_t columns;
  std::size_t words;
  std::vector<std::uint64_t> tests;
  std::vector<std::uint64_t> all;
  std::vector<std::uint64_t> summed = {};  // planes of quantised gradients, then Hessians
  DerivativeBounds bounds = {};

  PlaneMatrix test_planes() const { return {tests.data(), columns, words}; }
  SummedPlanes summed_planes() const { return {summed.data(), words, kBits.gradient, kBits.hessian, true}; }
};

void SetBit(std::uint64_t* plane, std::size_t row) { plane[row / 64] |= std::uint64_t{1} << (row % 64); }

Question MakeQuestion(std::size_t rows, std::size_t columns) {
  Question question{columns, PlaneWords(rows), {}, {}};
  question.tests.assign(columns * question.words, 0);
  question.all.assign(question.words, 0);
  std::vector<std::uint64_t> yes(question.words, 0);
  RandomStream random(1, RandomPurpose::kSample, 0);
  std::vector<std::array<bool, kClasses>> favourite(columns);
  for (auto& of_column : favourite) {
    for (bool& value : of_column) value = random.Below(2) == 0;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint64_t hidden = random.Below(kClasses);
    SetBit(question.all.data(), row);
    if (random.Below(4) > 0 ? hidden < kClasses / 2 : random.Below(2) == 0) SetBit(yes.data(), row);
    for (std::size_t j = 0; j < columns; ++j) {
      const bool is_one = random.Below(4) > 0 ? favourite[j][hidden] : random.Below(2) == 0;
      if (is_one) SetBit(question.tests.data() + j * question.words, row);
    }
  }
  const std::vector<Logit> logits(64 * question.words, 0);
  std::vector<std::int32_t> gradients(logits.size());
  std::vector<std::int32_t> hessians(logits.size());
  question.bounds = FindDerivatives(logits, yes.data(), {}, rows, {gradients, hessians});
  question.summed.resize(static_cast<std::size_t>(kBits.planes()) * question.words);
  QuantiseDerivatives(gradients, hessians, question.bounds, kBits, 1, question.summed.data(), question.words);
  return question;
}

Question QuestionOf(const benchmark::State& state) {
  return MakeQuestion(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
}

void SetRowColumns(benchmark::State& state) {
  const double done = static_cast<double>(state.iterations() * state.range(0) * state.range(1));
  state.counters["row-columns/s"] = benchmark::Counter(done, benchmark::Counter::kIsRate);
}

// The sums of gradients and Hessians of all rows that pass each column's test.
void SumGradients(benchmark::State& state) {
  const Question question = QuestionOf(state);
  PlanePanels panels;
  panels.Reset(question.columns, 1, question.words);
  for (std::size_t panel = 0; panel < panels.panels(); ++panel) {
    std::array<const std::uint64_t*, PlanePanels::kLanes> planes{};
    for (std::size_t i = 0; i < planes.size() && panel * planes.size() + i < question.columns; ++i) {
      planes[i] = question.test_planes()[panel * planes.size() + i];
    }
    panels.Pack(panel, 0, planes, nullptr);
  }
  std::vector<std::int32_t> gradients(panels.panels() * PlanePanels::kLanes);
  std::vector<std::int32_t> hessians(gradients.size());
  AlignedBuffer<Count> scratch;
  for (auto _ : state) {
    SumPassing(panels, question.summed_planes(), gradients.data(), hessians.data(), scratch);
    benchmark::DoNotOptimize(gradients.data());
  }
  SetRowColumns(state);
  const auto planes = static_cast<std::size_t>(kBits.planes());
  const double words = static_cast<double>(state.iterations() * question.columns * planes * question.words);
  state.counters["of_bare"] = benchmark::Counter(words / bench::BareWordsPerSecond(), benchmark::Counter::kIsRate);
}

// A whole tree: packing, counting, gains, rows parted. Of each table every row and column counts once, however deep.
void GrowBoostedTree(benchmark::State& state) {
  const Question question = QuestionOf(state);
  std::vector<std::uint32_t> chosen(question.columns);
  std::iota(chosen.begin(), chosen.end(), 0u);
  const double gradient_unit = 0x1p-21 * question.bounds.gradient / ((1 << (kBits.gradient - 1)) - 1);
  const double hessian_unit = 0x1p-21 * question.bounds.hessian / ((1 << kBits.hessian) - 1);
  const NewtonRule rule(gradient_unit, hessian_unit, 1, 1, 0);
  TreeGrower grower;
  std::size_t nodes = 0;
  for (auto _ : state) {
    nodes = grower
                .Grow(question.test_planes(), chosen, question.summed_planes(), question.all, rule,
                      {.depth = static_cast<int>(state.range(2))})
                .size();
  }
  SetRowColumns(state);
  state.counters["nodes"] = static_cast<double>(nodes);
}

// A table of 0 and 1 without a header.
WeightedRows ReadBits(const std::string& path) {
  ReadOptions options;
  options.header = false;
  const Batch batch = ReadAll(*OpenTable(path, options));
  WeightedRows rows;
  rows.codes = CodeTable::WithSizes(batch.rows, std::vector<Code>(batch.columns.size(), 2));
  for (std::size_t j = 0; j < batch.columns.size(); ++j) {
    const TextColumn& column = batch.columns[j];
    const auto one = std::find(column.dictionary.begin(), column.dictionary.end(), "1") - column.dictionary.begin();
    for (std::size_t i = 0; i < batch.rows; ++i) rows.codes.columns[j].Set(i, column.cells[i] == one);
  }
  return rows;
}

// Rounds of boosting the last column's logit on all others: derivatives, quantising, a tree over all tests, its leaves'
// values, logits. The same as a round of another boosting library with one thread (experiments/against_lightgbm.py).
void BoostRounds(benchmark::State& state, const std::string& path) {
  constexpr int kRounds = 100;
  const WeightedRows table = ReadBits(path);
  const std::size_t columns = table.codes.columns.size() - 1;
  std::vector<CodeTest> tests;
  for (Feature j = 0; j < columns; ++j) tests.push_back({j, 1, 1});
  const UnitWeights weights(table);
  const ContextPlanes planes(table.codes, tests);
  const QuestionRows rows(AskedColumn(table.codes.columns[columns], FindRanges(BalancedQuestions(2))), 0, weights,
                          planes, FirstTests(columns));
  BoostOptions options;
  options.depth = static_cast<int>(state.range(0));
  options.leaves = static_cast<int>(state.range(1));
  options.column_share = 1;
  options.shrinkage = 0.1;
  std::size_t trees = 0;
  std::size_t leaves = 0;
  for (auto _ : state) {
    QuestionLogits logits;
    logits.train.resize(64 * rows.words());
    const BoostedTrees boosted = Boost(rows, nullptr, options, kRounds, 1, logits);
    for (const LogitTree& tree : boosted.trees) {
      ++trees;
      leaves += tree.leaves.size();
    }
  }
  const double done = static_cast<double>(trees * rows.rows() * columns);
  state.counters["row-columns/s"] = benchmark::Counter(done, benchmark::Counter::kIsRate);
  state.counters["leaves"] = static_cast<double>(leaves) / static_cast<double>(trees);
}

[[maybe_unused]] const bool has_table = [] {
  const char* path = std::getenv("DTF_BENCH_TABLE");
  if (path == nullptr) return false;
  benchmark::RegisterBenchmark("BoostRounds", BoostRounds, std::string(path))
      ->ArgNames({"depth", "leaves"})
      ->Args({4, 16})
      ->Args({100, 31})
      ->Unit(benchmark::kMillisecond);
  return true;
}();

BENCHMARK(SumGradients)->ArgNames({"rows", "columns"})->Args({16000, 69})->Args({9000, 100});
BENCHMARK(GrowBoostedTree)
    ->ArgNames({"rows", "columns", "depth"})
    ->ArgsProduct({{16000}, {69}, {4, 7, 12}})
    ->ArgsProduct({{9000}, {100}, {4, 7, 12}})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace dtf
