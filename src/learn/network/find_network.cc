#include "learn/network/find_network.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/parallel.h"
#include "base/stop.h"
#include "learn/network/family_scores.h"

namespace dtf {
namespace {

// Gains that differ by less, relative to the column's score, count as equal, so that rounding errors decide nothing.
constexpr double kTolerance = 1e-10;
// Work for each candidate parent, for each row of a candidate, and for each pair of columns when a change is chosen.
constexpr double kCandidate = 60;
constexpr double kRow = 1.5;
constexpr double kPair = 0.5;
// The arrow between a pair of columns stays as it is for so many changes after its own; fewer where pairs are few.
constexpr std::size_t kMostTabuChanges = 20;
// The search ends after so many changes without a better network.
constexpr std::size_t kPatience = 200;

struct Change {
  enum class Kind { kAdd, kRemove, kTurn };
  Kind kind = Kind::kAdd;
  Feature child = 0;
  Feature parent = 0;
  double gain = 0;
};

class Search {
 public:
  Search(const WeightedRows& rows, const NetworkOptions& options)
      : options_(options),
        rows_(static_cast<double>(rows.codes.rows)),
        columns_(rows.codes.columns.size()),
        words_((columns_ + 63) / 64),
        scores_(rows, options.parameter_cost),
        score_(columns_),
        gains_(columns_ * columns_),
        tabu_changes_(std::min(kMostTabuChanges, columns_ * (columns_ - 1) / 4)),
        free_at_(columns_ * columns_),
        ancestors_(columns_ * words_) {
    network_.parents.resize(columns_);
  }

  FoundNetwork Find() {
    const ThreadTeam team;
    for (Feature j = 0; j < columns_; ++j) FindGains(j);
    Network best = network_;
    double gain = 0;  // of all changes
    double most = 0;
    std::size_t best_change = 0;
    while (work_ < options_.most_work && changes_ - best_change < kPatience) {
      const std::optional<Change> change = BestChange();
      if (!change) break;
      Apply(*change);
      gain += change->gain;
      if (gain > most + kTolerance * std::abs(score_[change->child])) {
        most = gain;
        best = network_;
        best_change = changes_;
      }
    }
    return {std::move(best), work_};
  }

 private:
  std::vector<Feature>& ParentsOf(Feature column) { return network_.parents[column]; }
  double& Gain(Feature child, Feature parent) { return gains_[child * columns_ + parent]; }
  std::size_t& FreeAt(Feature child, Feature parent) { return free_at_[child * columns_ + parent]; }
  bool IsTabu(Feature child, Feature parent) { return changes_ < FreeAt(child, parent); }
  bool IsAncestor(Feature ancestor, Feature column) const {
    return (ancestors_[column * words_ + ancestor / 64] >> (ancestor % 64) & 1) != 0;
  }

  // What removing each of the column's parents would gain, and adding each other column.
  void FindGains(Feature child) {
    ThrowIfStopped();
    const std::vector<Feature>& parents = ParentsOf(child);
    std::vector<Feature> others;
    for (Feature j = 0; j < columns_; ++j) {
      if (j != child && !std::binary_search(parents.begin(), parents.end(), j)) others.push_back(j);
    }
    const FamilyScores::Family family = scores_.Of(child, parents, others, options_.threads);
    score_[child] = family.score;
    for (std::size_t i = 0; i < others.size(); ++i) Gain(child, others[i]) = family.with[i] - family.score;
    for (std::size_t i = 0; i < parents.size(); ++i) Gain(child, parents[i]) = family.without[i] - family.score;
    work_ += (kCandidate + kRow * rows_) * static_cast<double>(columns_ + parents.size());
  }

  // The allowed change of the largest gain, which may be negative.
  std::optional<Change> BestChange() {
    work_ += kPair * static_cast<double>(gains_.size());
    std::optional<Change> best;
    double most = -std::numeric_limits<double>::infinity();
    for (Feature child = 0; child < columns_; ++child) {
      const double tolerance = kTolerance * std::abs(score_[child]);
      const auto is_better = [&](double gain) { return gain > most + tolerance; };
      const auto take = [&](double gain, Change::Kind kind, Feature parent) {
        most = gain;
        best = {kind, child, parent, gain};
      };
      for (Feature other = 0; other < columns_; ++other) {
        const double gain = Gain(child, other);
        if (is_better(gain) && MayAdd(other, child)) take(gain, Change::Kind::kAdd, other);
      }
      for (const Feature parent : ParentsOf(child)) {
        if (IsTabu(child, parent)) continue;
        const double removed = Gain(child, parent);
        if (is_better(removed)) take(removed, Change::Kind::kRemove, parent);
        const double turned = removed + Gain(parent, child);
        if (is_better(turned) && MayTurn(parent, child)) take(turned, Change::Kind::kTurn, parent);
      }
    }
    return best;
  }

  bool MayAdd(Feature parent, Feature child) {
    const std::vector<Feature>& parents = ParentsOf(child);
    return parent != child && !IsTabu(child, parent) && !IsAncestor(child, parent) &&
           !std::binary_search(parents.begin(), parents.end(), parent);
  }

  // Whether the arrow is the only way from the parent to the child.
  bool MayTurn(Feature parent, Feature child) {
    const std::vector<Feature>& parents = ParentsOf(child);
    return std::none_of(parents.begin(), parents.end(), [&](Feature other) { return IsAncestor(parent, other); });
  }

  void Apply(const Change& change) {
    const auto [kind, child, parent, gain] = change;
    if (kind == Change::Kind::kAdd) {
      Insert(parent, child);
    } else {
      std::erase(ParentsOf(child), parent);
      if (kind == Change::Kind::kTurn) Insert(child, parent);
    }
    ++changes_;
    FreeAt(child, parent) = FreeAt(parent, child) = changes_ + tabu_changes_;
    FindAncestors();
    FindGains(child);
    if (kind == Change::Kind::kTurn) FindGains(parent);
  }

  void Insert(Feature parent, Feature child) {
    std::vector<Feature>& parents = ParentsOf(child);
    parents.insert(std::lower_bound(parents.begin(), parents.end(), parent), parent);
  }

  void FindAncestors() {
    std::fill(ancestors_.begin(), ancestors_.end(), std::uint64_t{0});
    for (const Feature column : ParentsFirst(network_)) {
      std::uint64_t* const own = ancestors_.data() + column * words_;
      for (const Feature parent : ParentsOf(column)) {
        const std::uint64_t* const before = ancestors_.data() + parent * words_;
        for (std::size_t w = 0; w < words_; ++w) own[w] |= before[w];
        own[parent / 64] |= std::uint64_t{1} << (parent % 64);
      }
    }
  }

  const NetworkOptions& options_;
  double rows_;
  std::size_t columns_;
  std::size_t words_;
  FamilyScores scores_;
  Network network_;
  std::vector<double> score_;  // of each column with its parents
  std::vector<double> gains_;  // of a change: [child][parent]
  std::size_t tabu_changes_;
  std::vector<std::size_t> free_at_;      // so many changes: [child][parent]
  std::vector<std::uint64_t> ancestors_;  // of each column, a bit for each other
  std::size_t changes_ = 0;
  double work_ = 0;
};

}  // namespace

double LeastNetworkWork(std::size_t rows, std::size_t columns) {
  return (kCandidate + kRow * static_cast<double>(rows)) * static_cast<double>(columns) * static_cast<double>(columns);
}

FoundNetwork FindNetwork(const WeightedRows& rows, const NetworkOptions& options) {
  return Search(rows, options).Find();
}

}  // namespace dtf
