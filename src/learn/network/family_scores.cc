#include "learn/network/family_scores.h"

#include <algorithm>
#include <limits>

#include "base/parallel.h"

namespace dtf {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
constexpr std::size_t kSmallCounts = 1 << 14;

}  // namespace

// The rows, by their combination of codes of some columns.
struct FamilyScores::Groups {
  std::vector<std::uint32_t> of_row;  // empty: too many to tell apart
  std::size_t count = 1;              // those that occur
};

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

// Numbers the pairs of group and code in the order in which they come.
void FamilyScores::SplitByTable(Feature column, Groups& groups) const {
  const std::size_t codes = CodesOf(column);
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(groups.count * codes, kNone);
  std::uint32_t count = 0;
  rows_.codes.columns[column].Visit([&](auto cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      std::uint32_t& of_pair = number[groups.of_row[i] * codes + cells[i]];
      if (of_pair == kNone) of_pair = count++;
      groups.of_row[i] = of_pair;
    }
  });
  groups.count = count;
}

// The same where there may be far more pairs than rows: ascending.
void FamilyScores::SplitBySorting(Feature column, Groups& groups) const {
  std::vector<std::uint64_t> pairs(groups.of_row.size());
  rows_.codes.columns[column].Visit([&](auto cells) {
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

FamilyScores::Groups FamilyScores::GroupBy(std::span<const Feature> columns) const {
  Groups groups{.of_row = std::vector<std::uint32_t>(rows_.codes.rows), .count = 1};
  for (const Feature column : columns) {
    groups.count* CodesOf(column) <= kMostCells ? SplitByTable(column, groups) : SplitBySorting(column, groups);
    if (groups.count > kMostCells) return {.of_row = {}, .count = 0};
  }
  return groups;
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

double FamilyScores::Of(Feature column, std::span<const Feature> parents) const {
  const Groups groups = GroupBy(parents);
  const std::size_t own = CodesOf(column);
  if (groups.count == 0 || groups.count * own > kMostCells) return kImpossible;
  std::vector<std::uint32_t> counts(groups.count * own);
  rows_.codes.columns[column].Visit([&](auto cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      counts[groups.of_row[i] * own + cells[i]] += weights_.weights.empty() ? 1 : weights_.weights[i];
    }
  });
  return ScoreOf(counts, groups.count, own, 1, column);
}

void FamilyScores::With(Feature column, std::span<const Feature> parents, std::span<const Feature> candidates,
                        std::span<double> scores, int threads) const {
  Groups groups = GroupBy(parents);
  const std::size_t own = CodesOf(column);
  if (groups.count == 0 || groups.count * own > kMostCells) {
    std::fill(scores.begin(), scores.end(), kImpossible);
    return;
  }
  rows_.codes.columns[column].Visit([&](auto cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      groups.of_row[i] = static_cast<std::uint32_t>(groups.of_row[i] * own + cells[i]);
    }
  });
  constexpr std::size_t kBatch = 8;  // candidates that share a table of counts
  ParallelFor(threads, (candidates.size() + kBatch - 1) / kBatch, [&](std::size_t batch) {
    std::vector<std::uint32_t> counts;
    for (std::size_t c = batch * kBatch; c < std::min((batch + 1) * kBatch, candidates.size()); ++c) {
      const std::size_t other = CodesOf(candidates[c]);
      if (groups.count * own * other > kMostCells) {
        scores[c] = kImpossible;
        continue;
      }
      counts.assign(groups.count * own * other, 0);
      rows_.codes.columns[candidates[c]].Visit([&](auto cells) {
        const std::uint32_t* const weights = weights_.weights.empty() ? nullptr : weights_.weights.data();
        for (std::size_t i = 0; i < cells.size(); ++i) {
          counts[groups.of_row[i] * other + cells[i]] += weights == nullptr ? 1 : weights[i];
        }
      });
      scores[c] = ScoreOf(counts, groups.count, own, other, column);
    }
  });
}

}  // namespace dtf
