#include "learn/forest/relate_columns.h"

#include <algorithm>
#include <utility>

#include "learn/forest/order_numbers.h"

namespace dtf {
namespace {

bool IsOrderFree(const ForestOptions& options) { return options.order == OrderKind::kAuto; }

bool Boosts(const ForestOptions& options) {
  return options.conditioner == ConditionerKind::kAuto || options.conditioner == ConditionerKind::kBoosted;
}

}  // namespace

bool MayBeRelated(const ColumnKinds& kinds, const ForestOptions& options) {
  const Code most = std::ranges::max(kinds.sizes);
  constexpr Code kOfKeys = 64;   // key_columns.h
  constexpr Code kOfOrders = 5;  // order_numbers.h
  return (IsOrderFree(options) && most >= kOfKeys) || (Boosts(options) && most >= kOfOrders);
}

// Keys and differences are found in the rows that are learnt from, not in those held out. (By cross-validation all rows
// are learnt from, so each fold has had a say in what is found, and is scored a little too well: most of all the rows
// whose key occurs once.)
ColumnQuestions RelateColumns(const WeightedRows& all, const WeightedRows& train, const ColumnKinds& kinds,
                              const ForestOptions& options) {
  const bool boosts = Boosts(options);
  FoundRelations found = {.told = std::vector<std::vector<ToldColumn>>(kinds.sizes.size()),
                          .differences = std::vector<std::vector<Difference>>(kinds.sizes.size())};
  if (IsOrderFree(options)) found.told = FindToldColumns(train, kinds.sizes, kinds.ordered);
  if (boosts) found.differences = FindDifferences(train, kinds, options.threads);
  const std::vector<bool> ordered =
      boosts ? OrderNumbers(train, kinds, found, options.seed, options.threads) : kinds.ordered;
  for (Feature j = 0; j < ordered.size(); ++j) {
    if (ordered[j]) found.told[j].clear();
  }
  ColumnQuestions columns = ChooseQuestions(all, kinds.sizes, ordered, found.told);
  columns.differences = std::move(found.differences);
  return columns;
}

std::vector<std::string> DescribeRelations(const ColumnKinds& kinds, const ColumnQuestions& columns) {
  std::vector<std::string> lines;
  const auto say = [&](const std::string& what, std::ptrdiff_t count) {
    if (count > 0) lines.push_back(what + ": " + std::to_string(count));
  };
  say("nominal columns of numbers that are better asked in their order",
      std::ranges::count(columns.ordered, true) - std::ranges::count(kinds.ordered, true));
  say("columns that are told well by how far they are from another one",
      std::ranges::count_if(columns.differences, [](const auto& of_column) { return !of_column.empty(); }));
  return lines;
}

}  // namespace dtf
