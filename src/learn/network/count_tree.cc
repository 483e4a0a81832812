#include "learn/network/count_tree.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>

#include "base/logarithm.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "learn/questions/category_tree.h"
#include "learn/questions/logits.h"
#include "learn/questions/question_tree.h"
#include "learn/row_groups.h"

namespace dtf {
namespace {

constexpr double kPriorRows[] = {0.5, 2, 8, 32};
constexpr double kShareRows = 0.5;  // of each category, besides its own
// Bound of the leaves of all tables together, about: a model of more would take hundreds of megabytes.
constexpr double kMostLeaves = 1 << 23;

struct PairCell {
  Code parent = 0;
  Code child = 0;
  double rows = 0;
  double rows_of_parent = 0;
};

// The pairs of categories that occur, by parent, then child. of_parent: the rows of each of its categories.
std::vector<PairCell> CountPairs(const WeightedRows& rows, const Ragged<std::uint32_t>& of_parent, Feature child,
                                 Code size) {
  std::vector<PairCell> cells;
  std::vector<std::uint64_t> counts(size);
  std::vector<Code> present;
  rows.codes.columns[child].Visit([&](auto codes) {
    for (std::size_t parent = 0; parent < of_parent.size(); ++parent) {
      present.clear();
      std::uint64_t total = 0;
      for (const std::uint32_t row : of_parent[parent]) {
        const auto code = static_cast<Code>(codes[row]);
        if (code >= size) continue;
        if (counts[code] == 0) present.push_back(code);
        counts[code] += rows.WeightOf(row);
        total += rows.WeightOf(row);
      }
      std::ranges::sort(present);
      for (const Code code : present) {
        cells.push_back({static_cast<Code>(parent), code,
                         rows.unit * static_cast<double>(std::exchange(counts[code], 0)),
                         rows.unit * static_cast<double>(total)});
      }
    }
  });
  return cells;
}

// The smoothed shares of a column's categories in the whole table.
class Shares {
 public:
  Shares(const WeightedRows& rows, Feature column, Code size)
      : copy_rows_(rows.CopyRows()), rows_(rows.CategoryWeights(column, size)) {
    total_ = std::accumulate(rows_.begin(), rows_.end(), 0.0);
  }

  std::vector<double> OfAll() const {
    std::vector<double> shares;
    for (const double rows : rows_) shares.push_back(Share(rows, total_));
    return shares;
  }
  // The share among all rows but one of this category.
  double WithoutOne(Code category) const { return Share(LessOne(rows_[category]), LessOne(total_)); }
  // A weight without the one row that is left out.
  double LessOne(double rows) const { return std::max(rows - copy_rows_, 0.0); }

 private:
  double Share(double of_category, double of_all) const {
    return (of_category + kShareRows) / (of_all + kShareRows * static_cast<double>(rows_.size()));
  }

  double copy_rows_;
  std::vector<double> rows_;
  double total_;
};

struct Backoff {
  double prior_rows = 0;
  double gain = 0;  // ln P of the rows, each by all others, less that without the parent
};

// The number of prior rows of the largest gain.
Backoff ChooseBackoff(std::span<const PairCell> cells, const Shares& shares) {
  std::vector<double> of_child;
  double without = 0;
  for (const PairCell& cell : cells) {
    of_child.push_back(shares.WithoutOne(cell.child));
    without += cell.rows * Ln(of_child.back());
  }
  Backoff best;
  for (const double prior_rows : kPriorRows) {
    double with = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const PairCell& cell = cells[i];
      with += cell.rows * Ln((shares.LessOne(cell.rows) + prior_rows * of_child[i]) /
                             (shares.LessOne(cell.rows_of_parent) + prior_rows));
    }
    if (best.prior_rows == 0 || with - without > best.gain) best = {prior_rows, with - without};
  }
  return best;
}

void AddTrees(std::span<const PairCell> cells, double prior_rows, std::span<const AnswerMasses> of_all,
              std::uint32_t first_test, std::vector<Question>& questions) {
  const Ragged<std::uint32_t> paths = FindPaths(questions);
  std::vector<CategoryTree> trees(questions.size(), CategoryTree(first_test));
  std::vector<AnswerMasses> answers(questions.size());  // of the parent's category
  std::vector<std::uint32_t> asked;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (const std::uint32_t step : paths[cells[i].child]) {
      AnswerMasses& of_question = answers[step / 2];
      if (of_question.yes == 0 && of_question.no == 0) asked.push_back(step / 2);
      of_question.Add(step % 2 != 0, cells[i].rows);
    }
    if (i + 1 < cells.size() && cells[i + 1].parent == cells[i].parent) continue;
    for (const std::uint32_t q : asked) {
      const auto [yes, no] = std::exchange(answers[q], {});
      trees[q].Add(cells[i].parent,
                   OddsLogit(yes + prior_rows * of_all[q].yes, no + prior_rows * of_all[q].no) - questions[q].bias);
    }
    asked.clear();
  }
  for (std::size_t q = 0; q < questions.size(); ++q) {
    LogitTree tree = trees[q].Make();
    if (!tree.nodes.empty()) questions[q].trees.push_back(std::move(tree));
  }
}

// gains: [child][parent].
Network GrowTree(const std::vector<double>& gains, std::size_t columns) {
  struct Arrow {
    double gain = 0;
    Feature parent = 0;
  };
  std::vector<double> told(columns);  // by each column, of all others
  for (std::size_t i = 0; i < gains.size(); ++i) told[i % columns] += std::max(gains[i], 0.0);
  std::vector<Arrow> best(columns);  // from those that are in
  Network network{std::vector<std::vector<Feature>>(columns)};
  std::vector<Feature> left(columns);
  std::iota(left.begin(), left.end(), Feature{0});
  while (!left.empty()) {
    auto next = std::ranges::max_element(left, {}, [&](Feature child) { return best[child].gain; });
    if (best[*next].gain == 0) next = std::ranges::max_element(left, {}, [&](Feature parent) { return told[parent]; });
    const Feature column = *next;
    if (best[column].gain > 0) network.parents[column] = {best[column].parent};
    left.erase(next);
    for (const Feature child : left) {
      const double gain = gains[child * columns + column];
      if (gain > best[child].gain) best[child] = {gain, column};
    }
  }
  return network;
}

}  // namespace

FoundNetwork FindCountTree(const WeightedRows& rows, std::span<const Code> sizes, int threads) {
  const std::size_t columns = sizes.size();
  std::vector<Shares> shares;
  for (Feature j = 0; j < columns; ++j) shares.emplace_back(rows, j, sizes[j]);
  std::vector<double> gains(columns * columns);       // [child][parent]
  std::vector<std::size_t> cells(columns * columns);  // likewise
  ParallelFor(threads, columns, [&](std::size_t parent) {
    const Ragged<std::uint32_t> groups = GroupRows(rows.codes.columns[parent], sizes[parent]);
    for (Feature child = 0; child < columns; ++child) {
      ThrowIfStopped();
      if (child == parent) continue;
      const std::vector<PairCell> pairs = CountPairs(rows, groups, child, sizes[child]);
      gains[child * columns + parent] = ChooseBackoff(pairs, shares[child]).gain;
      cells[child * columns + parent] = pairs.size();
    }
  });
  Network network = GrowTree(gains, columns);
  double leaves = 0;
  for (Feature child = 0; child < columns; ++child) {
    auto& parents = network.parents[child];
    if (parents.empty()) continue;
    leaves += static_cast<double>(cells[child * columns + parents[0]] * std::bit_width(sizes[child]));
    if (leaves > kMostLeaves) parents.clear();
  }
  return {std::move(network), CountTreeWork(rows.codes.rows, columns)};
}

double CountTreeWork(std::size_t rows, std::size_t columns) {
  constexpr double kRow = 10;  // of a pair
  constexpr double kPair = 100;
  const auto of_columns = static_cast<double>(columns);
  return of_columns * of_columns * (kPair + kRow * static_cast<double>(rows));
}

CountTables LearnCounts(const WeightedRows& rows, std::span<const Code> sizes,
                        std::span<const std::vector<Question>> questions, const Network& network) {
  CountTables tables;
  std::vector<std::uint32_t> first_test(sizes.size());
  for (Feature j = 0; j < sizes.size(); ++j) {
    first_test[j] = static_cast<std::uint32_t>(tables.tests.size());
    const auto is_parent = [j](const std::vector<Feature>& parents) { return !parents.empty() && parents[0] == j; };
    if (std::ranges::none_of(network.parents, is_parent)) continue;
    for (Code last = 0; last < sizes[j]; ++last) tables.tests.push_back({j, 0, last});
  }
  for (Feature j = 0; j < sizes.size(); ++j) {
    ThrowIfStopped();
    auto& learnt = tables.conditioners.emplace_back(Conditioner{questions[j]}).questions;
    const Shares shares(rows, j, sizes[j]);
    const std::vector<AnswerMasses> of_all = AnswersOf(learnt, shares.OfAll());
    for (std::size_t q = 0; q < learnt.size(); ++q) learnt[q].bias = OddsLogit(of_all[q].yes, of_all[q].no);
    if (network.parents[j].empty()) continue;
    const Feature parent = network.parents[j][0];
    const auto cells = CountPairs(rows, GroupRows(rows.codes.columns[parent], sizes[parent]), j, sizes[j]);
    AddTrees(cells, ChooseBackoff(cells, shares).prior_rows, of_all, first_test[parent], learnt);
  }
  return tables;
}

}  // namespace dtf
