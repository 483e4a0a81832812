// For tests: trees of hidden states written down plainly, and rows to learn them from.
#pragma once

#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "flow/hidden_tree.h"
#include "learn/hidden_tree/column_tree.h"
#include "learn/weighted_rows.h"

namespace dtf {

inline ColumnTree TreeOf(const std::vector<std::vector<Feature>>& parents) { return MakeColumnTree({parents}); }

// Rows whose cells are drawn evenly, one of ten without a category.
inline WeightedRows AnyRows(std::size_t count, std::span<const Code> sizes, std::mt19937_64& random) {
  WeightedRows rows{CodeTable::WithSizes(count, sizes), {}, 1};
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    for (std::size_t i = 0; i < count; ++i) {
      rows.codes.columns[j].Set(i, random() % 10 == 0 ? sizes[j] : static_cast<Code>(random() % sizes[j]));
    }
  }
  return rows;
}

// Rows of two hidden groups: a cell is the group's own category or, one of five times, any.
inline WeightedRows TwoGroups(std::size_t count, std::span<const Code> sizes, std::mt19937_64& random) {
  WeightedRows rows{CodeTable::WithSizes(count, sizes), {}, 1};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t group = random() % 2;
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      rows.codes.columns[j].Set(i, static_cast<Code>((random() % 5 == 0 ? random() : group) % sizes[j]));
    }
  }
  return rows;
}

// A model's shares, each list scaled to sum to 1, and what it says of rows.
class PlainHiddenTree {
 public:
  PlainHiddenTree(const HiddenTree& hidden, std::span<const Code> sizes) : hidden_(hidden) {
    const std::size_t states = hidden.states;
    root_ = Scaled(hidden.root, 0, states, 1);
    for (std::size_t row = 0; row < hidden.transitions.size(); row += states) {
      transitions_.push_back(Scaled(hidden.transitions, row, states, 1));
    }
    std::size_t begin = 0;
    for (const Code size : sizes) {
      auto& of_column = categories_.emplace_back();
      for (std::size_t z = 0; z < states; ++z) of_column.push_back(Scaled(hidden.categories, begin + z, size, states));
      begin += size * states;
    }
  }

  double MeanNats(const WeightedRows& rows) const {
    double sum = 0;
    for (std::size_t i = 0; i < rows.codes.rows; ++i)
      sum -= static_cast<double>(rows.WeightOf(i)) * LnOf(rows.codes, i);
    return rows.unit * sum / rows.TotalRows();
  }

  // Of a cell without a category nothing is said.
  double LnOf(const CodeTable& codes, std::size_t row) const {
    std::vector<std::vector<double>> inside(hidden_.order.size(), std::vector<double>(hidden_.states, 1));
    double probability = 0;
    for (std::size_t position = inside.size(); position-- > 0;) {
      const Feature column = hidden_.order[position];
      const Code code = codes.columns[column].At(row);
      for (std::size_t z = 0; z < hidden_.states; ++z) {
        const auto& shares = categories_[column][z];
        if (code < shares.size()) inside[position][z] *= shares[code];
      }
      for (std::size_t y = 0; y < hidden_.states; ++y) {
        double sum = 0;
        for (std::size_t z = 0; z < hidden_.states; ++z) {
          sum +=
              inside[position][z] * (position == 0 ? root_[z] : transitions_[(position - 1) * hidden_.states + y][z]);
        }
        if (position == 0) probability = sum;
        if (position > 0) inside[hidden_.parent[position]][y] *= sum;
      }
    }
    return std::log(probability);
  }

 private:
  static std::vector<double> Scaled(const std::vector<LogShare>& shares, std::size_t begin, std::size_t count,
                                    std::size_t step) {
    std::vector<double> scaled;
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += scaled.emplace_back(FromLogShare(shares[begin + i * step]));
    for (double& share : scaled) share /= sum;
    return scaled;
  }

  const HiddenTree& hidden_;
  std::vector<double> root_;
  std::vector<std::vector<double>> transitions_;
  std::vector<std::vector<std::vector<double>>> categories_;  // [column][state][category]
};

}  // namespace dtf
