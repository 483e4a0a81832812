#include "learn/network/family_scores.h"

#include <algorithm>
#include <limits>

#include "base/parallel.h"

namespace dtf {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
constexpr std::size_t kSmallCounts = 1 << 14;

}  // namespace

// Rows by their combination of codes of some columns.
struct FamilyGroups {
  std::vector<std::uint32_t> of_row;
  std::size_t count = 1;  // those that occur; 0: too many to tell apart
};

namespace {

// Splits each group by the codes of one more column, below `codes`. Numbers the pairs of group and code in the order in
// which they come.
void SplitByTable(const CodeColumn& column, std::size_t codes, FamilyGroups& groups) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(groups.count * codes, kNone);
  std::uint32_t count = 0;
  column.Visit([&](auto cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      std::uint32_t& of_pair = number[groups.of_row[i] * codes + cells[i]];
      if (of_pair == kNone) of_pair = count++;
      groups.of_row[i] = of_pair;
    }
  });
  groups.count = count;
}

// The same where there may be far more pairs than rows: ascending.
void SplitBySorting(const CodeColumn& column, FamilyGroups& groups) {
  std::vector<std::uint64_t> pairs(groups.of_row.size());
  column.Visit([&](auto cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) pairs[i] = std::uint64_t{groups.of_row[i]} << 32 | cells[i];
  });
  std::vector<std::uint64_t> occurring = pairs;
  std::ranges::sort(occurring);
  occurring.erase(std::unique(occurring.begin(), occurring.end()), occurring.end());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto found = std::ranges::lower_bound(occurring, pairs[i]);
    groups.of_row[i] = static_cast<std::uint32_t>(found - occurring.begin());
  }
  groups.count = occurring.size();
}

struct Parent {
  const CodeColumn* column;
  std::size_t codes;  // one more than the largest
};

FamilyGroups GroupBy(std::span<const Parent> parents, std::size_t rows) {
  FamilyGroups groups{.of_row = std::vector<std::uint32_t>(rows), .count = 1};
  for (const auto& [column, codes] : parents) {
    groups.count* codes <= FamilyScores::kMostCells ? SplitByTable(*column, codes, groups)
                                                    : SplitBySorting(*column, groups);
    if (groups.count > FamilyScores::kMostCells) return {.of_row = {}, .count = 0};
  }
  return groups;
}

// A row of each group.
std::vector<std::size_t> OneRowEach(const FamilyGroups& groups) {
  std::vector<std::size_t> rows(groups.count);
  for (std::size_t i = 0; i < groups.of_row.size(); ++i) rows[groups.of_row[i]] = i;
  return rows;
}

template <typename T>
std::vector<T> AllBut(std::size_t position, std::span<const T> list) {
  std::vector<T> rest(list.begin(), list.end());
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(position));
  return rest;
}

}  // namespace

FamilyScores::FamilyScores(const WeightedRows& rows, double parameter_cost)
    : rows_(rows), weights_(QuestionWeights(rows)), parameter_cost_(parameter_cost), x_log_x_(kSmallCounts) {
  for (const CodeColumn& column : rows.codes.columns) {
    std::vector<bool> occurs;
    column.Visit([&](auto cells) {
      for (const auto code : cells) {
        if (code >= occurs.size()) occurs.resize(code + std::size_t{1});
        occurs[code] = true;
      }
    });
    codes_.push_back(occurs.size());
    present_.push_back(static_cast<std::size_t>(std::count(occurs.begin(), occurs.end(), true)));
  }
}

// counts: [groups][own][other], of the column's own codes in each group and code of the other column.
double FamilyScores::ScoreOf(std::span<const std::uint32_t> counts, std::size_t groups, std::size_t own,
                             std::size_t other, Feature column) const {
  double sum = 0;
  std::size_t distributions = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t o = 0; o < other; ++o) {
      const std::uint32_t* const first = counts.data() + g * own * other + o;
      std::uint32_t total = 0;
      for (std::size_t code = 0; code < own; ++code) {
        const std::uint32_t count = first[code * other];
        sum += x_log_x_.Of(count);
        total += count;
      }
      sum -= x_log_x_.Of(total);
      distributions += total > 0 ? 1 : 0;
    }
  }
  return weights_.unit * sum - parameter_cost_ * static_cast<double>(distributions * (present_[column] - 1));
}

std::vector<std::uint32_t> FamilyScores::CountIn(const FamilyGroups& groups, Feature column) const {
  const std::size_t own = CodesOf(column);
  std::vector<std::uint32_t> counts(groups.count * own);
  rows_.codes.columns[column].Visit([&](auto cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      counts[groups.of_row[i] * own + cells[i]] += weights_.weights.empty() ? 1 : weights_.weights[i];
    }
  });
  return counts;
}

// From the counts of the groups, not of the rows: groups that only the parent left out tells apart become one.
std::vector<double> FamilyScores::ScoresWithout(Feature column, std::span<const Feature> parents,
                                                const FamilyGroups& groups,
                                                std::span<const std::uint32_t> counts) const {
  const std::vector<std::size_t> rows = OneRowEach(groups);
  std::vector<CodeColumn> columns;
  std::vector<Parent> of_groups;
  for (const Feature parent : parents) columns.push_back(rows_.codes.columns[parent].Select(rows));
  for (std::size_t i = 0; i < parents.size(); ++i) of_groups.push_back({&columns[i], CodesOf(parents[i])});
  const std::size_t own = CodesOf(column);
  std::vector<double> scores;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const FamilyGroups fewer = GroupBy(AllBut<Parent>(i, of_groups), groups.count);
    std::vector<std::uint32_t> merged(fewer.count * own);
    for (std::size_t g = 0; g < groups.count; ++g) {
      for (std::size_t code = 0; code < own; ++code) merged[fewer.of_row[g] * own + code] += counts[g * own + code];
    }
    scores.push_back(ScoreOf(merged, fewer.count, own, 1, column));
  }
  return scores;
}

std::vector<double> FamilyScores::ScoresWith(Feature column, std::span<const Feature> candidates,
                                             const FamilyGroups& groups, int threads) const {
  const std::size_t own = CodesOf(column);
  std::vector<std::uint32_t> of_row(groups.of_row.size());  // group and own code
  rows_.codes.columns[column].Visit([&](auto cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      of_row[i] = static_cast<std::uint32_t>(groups.of_row[i] * own + cells[i]);
    }
  });
  std::vector<double> scores(candidates.size(), kImpossible);
  constexpr std::size_t kBatch = 8;  // candidates that share a table of counts
  ParallelFor(threads, (candidates.size() + kBatch - 1) / kBatch, [&](std::size_t batch) {
    std::vector<std::uint32_t> counts;
    for (std::size_t c = batch * kBatch; c < std::min((batch + 1) * kBatch, candidates.size()); ++c) {
      const std::size_t other = CodesOf(candidates[c]);
      if (groups.count * own * other > kMostCells) continue;
      counts.assign(groups.count * own * other, 0);
      rows_.codes.columns[candidates[c]].Visit([&](auto cells) {
        const std::uint32_t* const weights = weights_.weights.empty() ? nullptr : weights_.weights.data();
        for (std::size_t i = 0; i < cells.size(); ++i) {
          counts[of_row[i] * other + cells[i]] += weights == nullptr ? 1 : weights[i];
        }
      });
      scores[c] = ScoreOf(counts, groups.count, own, other, column);
    }
  });
  return scores;
}

FamilyGroups FamilyScores::GroupsOf(Feature column, std::span<const Feature> parents) const {
  std::vector<Parent> grouping;
  for (const Feature parent : parents) grouping.push_back({&rows_.codes.columns[parent], CodesOf(parent)});
  FamilyGroups groups = GroupBy(grouping, rows_.codes.rows);
  if (groups.count * CodesOf(column) > kMostCells) groups.count = 0;
  return groups;
}

double FamilyScores::ScoreOf(Feature column, std::span<const Feature> parents) const {
  const FamilyGroups groups = GroupsOf(column, parents);
  if (groups.count == 0) return kImpossible;
  return ScoreOf(CountIn(groups, column), groups.count, CodesOf(column), 1, column);
}

FamilyScores::Family FamilyScores::Of(Feature column, std::span<const Feature> parents,
                                      std::span<const Feature> candidates, int threads) const {
  const FamilyGroups groups = GroupsOf(column, parents);
  if (groups.count == 0) {
    Family family{kImpossible, {}, std::vector<double>(candidates.size(), kImpossible)};
    for (std::size_t i = 0; i < parents.size(); ++i) {
      family.without.push_back(ScoreOf(column, AllBut(i, parents)));
    }
    return family;
  }
  const std::vector<std::uint32_t> counts = CountIn(groups, column);
  return {.score = ScoreOf(counts, groups.count, CodesOf(column), 1, column),
          .without = ScoresWithout(column, parents, groups, counts),
          .with = ScoresWith(column, candidates, groups, threads)};
}

}  // namespace dtf
