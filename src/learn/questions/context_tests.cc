#include "learn/questions/context_tests.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace dtf {
namespace {

constexpr std::size_t kMostCategories = 256;
constexpr std::size_t kMostThresholds = 64;
constexpr std::size_t kMostOrderedThresholds = 256;
static_assert(kMostCategories + kMostOrderedThresholds <= kMostTestsOfColumn);

// A test for each category that occurs; if there are many, for the most frequent ones.
void AppendCategories(Feature column, const std::vector<std::uint64_t>& counts, std::vector<CodeTest>& tests) {
  std::vector<Code> present;
  for (Code code = 0; code < counts.size(); ++code) {
    if (counts[code] > 0) present.push_back(code);
  }
  if (present.size() < 2) return;
  if (present.size() == 2) present.erase(present.begin());
  if (present.size() > kMostCategories) {
    std::stable_sort(present.begin(), present.end(), [&](Code a, Code b) { return counts[a] > counts[b]; });
    present.resize(kMostCategories);
    std::sort(present.begin(), present.end());
  }
  for (const Code code : present) tests.push_back({column, code, code});
}

void AppendThresholds(Feature column, const std::vector<std::uint64_t>& counts, std::size_t most,
                      std::vector<CodeTest>& tests) {
  const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  const std::uint64_t step = (total + most - 1) / most;
  std::uint64_t below = 0;
  std::uint64_t next = 0;
  Code first = 0;  // category that occurs
  while (first < counts.size() && counts[first] == 0) ++first;
  for (Code code = 0; code + 1 < counts.size(); ++code) {
    below += counts[code];
    if (counts[code] == 0 || below == total || below < next) continue;
    next = below + step;
    if (code > first) tests.push_back({column, 0, code});  // the first alone has a test already
  }
}

}  // namespace

ContextTests ChooseTests(const WeightedRows& rows, std::span<const Code> sizes, std::span<const Feature> order,
                         const std::vector<bool>& ordered) {
  ContextTests result;
  result.begin.push_back(0);
  for (const Feature column : order) {
    const bool is_ordered = !ordered.empty() && ordered[column];
    const auto counts = rows.CountCategories(column, sizes[column]);
    AppendCategories(column, counts, result.tests);
    if (sizes[column] > 2) {
      AppendThresholds(column, counts, is_ordered ? kMostOrderedThresholds : kMostThresholds, result.tests);
    }
    result.begin.push_back(result.tests.size());
  }
  return result;
}

void DropUnusedTests(std::vector<CodeTest>& tests, std::vector<Conditioner>& conditioners) {
  std::vector<bool> used(tests.size(), false);
  const auto for_each_test = [&](auto&& f) {
    for (Conditioner& conditioner : conditioners) {
      for (Question& question : conditioner.questions) ForEachTest(question, f);
    }
  };
  for_each_test([&](std::uint32_t& test) { used[test] = true; });
  std::vector<std::uint32_t> number(used.size());
  std::map<CodeTest, std::uint32_t> number_of;
  std::vector<CodeTest> kept;
  for (std::size_t t = 0; t < used.size(); ++t) {
    if (!used[t]) continue;
    const auto [found, is_new] = number_of.emplace(tests[t], static_cast<std::uint32_t>(kept.size()));
    if (is_new) kept.push_back(tests[t]);
    number[t] = found->second;
  }
  tests = std::move(kept);
  for_each_test([&](std::uint32_t& test) { test = number[test]; });
}

std::vector<std::uint32_t> FirstTests(std::size_t count) {
  std::vector<std::uint32_t> tests(count);
  std::iota(tests.begin(), tests.end(), 0u);
  return tests;
}

ContextPlanes::ContextPlanes(const CodeTable& codes, std::span<const CodeTest> tests)
    : words_(PlaneWords(codes.rows)), planes_(tests.size() * words_) {
  for (std::size_t t = 0; t < tests.size(); ++t) {
    const auto [column, first, last] = tests[t];
    std::uint64_t* plane = planes_.data() + t * words_;
    codes.columns[column].Visit([&, first = first, last = last](auto cells) {
      if (first == last) return MatchCodes(cells, first, plane);
      for (std::size_t i = 0; i < cells.size(); ++i) {
        plane[i / 64] |= std::uint64_t{cells[i] >= first && cells[i] <= last} << (i % 64);
      }
    });
  }
}

ContextPlanes::ContextPlanes(const ContextPlanes& planes, std::span<const std::uint32_t> tests)
    : words_(planes.words_) {
  for (const std::uint32_t test : tests) {
    const auto first = planes.planes_.begin() + static_cast<std::ptrdiff_t>(test * words_);
    planes_.insert(planes_.end(), first, first + static_cast<std::ptrdiff_t>(words_));
  }
}

}  // namespace dtf
