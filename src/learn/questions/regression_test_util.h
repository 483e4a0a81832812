// Tables to learn regressions from, and their definition in doubles, row by row.
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "learn/questions/boosted.h"
#include "learn/questions/context_tests.h"
#include "learn/questions/question_rows.h"
#include "learn/questions/question_tree.h"
#include "learn/weighted_rows.h"

namespace dtf {

// Random binary contexts, some alike; the answer, in the last column, is more often yes the more of them are 1.
inline WeightedRows RandomRows(std::size_t rows, std::size_t tests, bool weighted, std::mt19937_64& random) {
  WeightedRows table;
  table.codes = CodeTable::WithSizes(rows, std::vector<Code>(tests + 1, 2));
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = -1;
    for (std::size_t j = 0; j < tests; ++j) {
      const bool copies = j > 0 && random() % 3 == 0;
      const Code code = copies ? table.codes.columns[j - 1].At(i) : static_cast<Code>(random() % (2 + j % 3) == 0);
      table.codes.columns[j].Set(i, code);
      sum += (j % 2 == 0 ? 1.5 : -1) * code;
    }
    const double p = 1 / (1 + std::exp(-sum));
    table.codes.columns[tests].Set(i, static_cast<double>(random() % 1000) < 1000 * p);
    if (weighted) table.weights.push_back(1 + random() % 12);
  }
  return table;
}

// What a regression is learnt from.
struct Questioned {
  explicit Questioned(const WeightedRows& table)
      : weights(QuestionWeights(table)),
        planes(table.codes, Tests(table.codes.columns.size() - 1)),
        rows(AskedColumn(table.codes.columns.back(), FindRanges(BalancedQuestions(2))), 0, weights, planes,
             FirstTests(table.codes.columns.size() - 1)) {}

  static std::vector<CodeTest> Tests(std::size_t count) {
    std::vector<CodeTest> tests;
    for (Feature j = 0; j < count; ++j) tests.push_back({j, 1, 1});
    return tests;
  }

  QuestionLogits NoLogits() const { return {std::vector<Logit>(64 * rows.words()), {}}; }

  CoarseWeights weights;
  ContextPlanes planes;
  QuestionRows rows;
};

using Matrix = std::vector<std::vector<double>>;

// The tests of each row, less their means.
struct Centred {
  explicit Centred(const WeightedRows& table) : rows(table.codes.rows), weights(rows.size()), yes(rows.size()) {
    const std::size_t tests = table.codes.columns.size() - 1;
    means.resize(tests);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      weights[i] = table.RowWeight(i);
      yes[i] = table.codes.columns[tests].At(i) == 0;  // "is it below?"
      total += weights[i];
      for (std::size_t t = 0; t < tests; ++t) {
        rows[i].push_back(table.codes.columns[t].At(i));
        means[t] += weights[i] * rows[i][t];
      }
    }
    for (double& mean : means) mean /= total;
    for (auto& row : rows) {
      for (std::size_t t = 0; t < tests; ++t) row[t] -= means[t];
    }
  }

  Matrix Gram(double lambda) const {
    Matrix gram(means.size(), std::vector<double>(means.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t s = 0; s < means.size(); ++s) {
        for (std::size_t t = 0; t < means.size(); ++t) gram[s][t] += weights[i] * rows[i][s] * rows[i][t];
      }
    }
    for (std::size_t t = 0; t < means.size(); ++t) gram[t][t] += lambda;
    return gram;
  }

  Matrix rows;
  std::vector<double> weights;
  std::vector<double> yes;
  std::vector<double> means;
  double total = 0;
};

}  // namespace dtf
