#include "learn/questions/differences.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "base/exponential.h"
#include "base/logarithm.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "learn/leave_one_out.h"
#include "learn/questions/logits.h"

namespace dtf {
namespace {

constexpr Code kLeastValues = 16;
constexpr double kMostPairs = 0x1p20;       // of two columns' values
constexpr double kMostPairsOfAll = 0x1p28;  // that are tried
constexpr double kMostPairRows = 2e9;
constexpr double kLeastRows = 50;
constexpr double kLeastRowsOfPart = 20;     // of a part of the rows in which a difference was found
constexpr std::size_t kMostCorrelated = 8;  // columns that one is tried with
constexpr double kLeastCorrelation = 0.5;   // of codes; less, and the gain is not worth looking for
constexpr double kLeastGain = 0.2;

constexpr int kWidths[] = {0, 1, 2, 4, 8, 16, 32, 64};  // standard deviations of the kernels
constexpr int kKernelReach = 4;                         // standard deviations
constexpr int kMixingSteps = 30;
constexpr int kWeightingSteps = 3;
constexpr double kWeightRows = 4;  // of each category, besides its own, as the model without weights expects them
constexpr double kShareRows = 0.5;
constexpr double kNoRows = 1e-9;  // to divide by, where a row has no others
// Logits are whole multiples of this: of neighbours that hardly differ, a tree makes one leaf.
constexpr Logit kLogitStep = 1 << 12;

// Turns the codes of `from` round unless the difference is a sum: so it becomes a sum in any case.
Code Turned(const Difference& difference, Code from) {
  return difference.is_sum ? from : difference.from_values - 1 - from;
}

// Rows with a value in both columns.
struct PairCounts {
  explicit PairCounts(const Difference& difference)
      : from(difference.from_values), column(difference.values), sums(from.size() + column.size() - 1) {}

  std::vector<double> from;  // by turned code
  std::vector<RowSum> column;
  std::vector<RowSum> sums;  // of turned and the column's code
  RowSum all;
};

PairCounts CountPairs(const WeightedRows& rows, Feature column, const Difference& difference) {
  PairCounts counts(difference);
  const double copy_rows = rows.CopyRows();
  rows.codes.columns[difference.from].Visit([&](auto of_from) {
    rows.codes.columns[column].Visit([&](auto of_column) {
      for (std::size_t i = 0; i < of_column.size(); ++i) {
        if (of_from[i] >= difference.from_values || of_column[i] >= difference.values) continue;
        const Code turned = Turned(difference, of_from[i]);
        const double weight = rows.RowWeight(i);
        const double own = OwnRows(weight, copy_rows);
        counts.from[turned] += weight;
        counts.column[of_column[i]].Add(weight, own);
        counts.sums[turned + of_column[i]].Add(weight, own);
        counts.all.Add(weight, own);
      }
    });
  });
  return counts;
}

std::vector<double> Kernel(int width) {
  std::vector<double> kernel;  // one half of it
  for (int i = 0; i <= kKernelReach * width; ++i) kernel.push_back(width == 0 ? 1 : Exp(-0.5 * i * i / width / width));
  const double total = 2 * std::accumulate(kernel.begin(), kernel.end(), 0.0) - kernel[0];
  for (double& value : kernel) value /= total;
  return kernel;
}

std::vector<double> Convolve(std::span<const double> counts, std::span<const double> kernel) {
  const auto reach = static_cast<std::ptrdiff_t>(kernel.size()) - 1;
  const auto size = static_cast<std::ptrdiff_t>(counts.size());
  std::vector<double> smooth(counts.size());
  for (std::ptrdiff_t from = 0; from < size; ++from) {
    if (counts[from] == 0) continue;
    for (std::ptrdiff_t to = std::max(from - reach, std::ptrdiff_t{0}); to < std::min(from + reach + 1, size); ++to) {
      smooth[to] += counts[from] * kernel[std::abs(to - from)];
    }
  }
  return smooth;
}

// The probability of each sum, and ln P of the rows, each predicted by all others.
struct SmoothShares {
  std::vector<double> shares;
  double ln_p = 0;
};

class Smoother {
 public:
  Smoother(std::span<const RowSum> counts, double total) : counts_(counts), total_(total) {
    std::vector<double> rows;
    for (const RowSum& at : counts) rows.push_back(at.rows());
    for (const int width : kWidths) {
      const std::vector<double> kernel = Kernel(width);
      smooth_.push_back(Convolve(rows, kernel));
      own_share_.push_back(kernel[0]);
    }
    mixing_.assign(smooth_.size() + 1, 1.0 / static_cast<double>(smooth_.size() + 1));
  }

  SmoothShares Smooth() {
    for (int step = 0; step < kMixingSteps; ++step) Step();
    SmoothShares result;
    for (std::size_t at = 0; at < counts_.size(); ++at) {
      double share = mixing_.back() * Uniform();
      for (std::size_t c = 0; c < smooth_.size(); ++c) share += mixing_[c] * smooth_[c][at] / total_;
      result.shares.push_back((total_ * share + Uniform()) / (total_ + 1));
      if (const double rows = counts_[at].rows(); rows > 0) {
        const double others = Others(at);
        result.ln_p += rows * Ln((others * SumByOthers(at) + Uniform()) / (others + 1));
      }
    }
    return result;
  }

 private:
  double Uniform() const { return 1 / static_cast<double>(counts_.size()); }
  double Others(std::size_t at) const { return std::max(total_ - counts_[at].Own(), kNoRows); }

  // One component's part of it; the last one is uniform.
  double ByOthers(std::size_t component, std::size_t at) const {
    if (component == smooth_.size()) return mixing_.back() * Uniform();
    const double others = smooth_[component][at] - own_share_[component] * counts_[at].Own();
    return mixing_[component] * std::max(others, 0.0) / Others(at);
  }

  double SumByOthers(std::size_t at) const {
    double sum = 0;
    for (std::size_t c = 0; c < mixing_.size(); ++c) sum += ByOthers(c, at);
    return sum;
  }

  // Of expectation maximisation.
  void Step() {
    std::vector<double> rows(mixing_.size());
    for (std::size_t at = 0; at < counts_.size(); ++at) {
      if (counts_[at].rows() == 0) continue;
      const double sum = SumByOthers(at);
      for (std::size_t c = 0; c < rows.size(); ++c) rows[c] += counts_[at].rows() * ByOthers(c, at) / sum;
    }
    for (std::size_t c = 0; c < rows.size(); ++c)
      mixing_[c] = (rows[c] + 1) / (total_ + static_cast<double>(rows.size()));
  }

  std::span<const RowSum> counts_;
  double total_;
  std::vector<std::vector<double>> smooth_;  // by component
  std::vector<double> own_share_;            // of a row, at its own place
  std::vector<double> mixing_;
};

class DifferenceModel {
 public:
  explicit DifferenceModel(PairCounts counts)
      : counts_(std::move(counts)),
        smooth_(Smoother(counts_.sums, counts_.all.rows()).Smooth()),
        weights_(counts_.column.size(), 1.0) {}

  // Iterative scaling, so that the model's categories are as frequent as the table's.
  void FindWeights() {
    is_weighted_ = true;
    for (int step = 0; step < kWeightingSteps; ++step) {
      ThrowIfStopped();
      std::vector<double> expected(weights_.size());
      for (std::size_t turned = 0; turned < counts_.from.size(); ++turned) {
        if (counts_.from[turned] == 0) continue;
        const std::vector<double> shares = Given(turned);
        for (std::size_t b = 0; b < shares.size(); ++b) expected[b] += counts_.from[turned] * shares[b];
      }
      for (std::size_t b = 0; b < weights_.size(); ++b) {
        weights_[b] *= (counts_.column[b].rows() + kWeightRows) / (expected[b] + kWeightRows);
      }
    }
  }

  // Shares of the column's values, given a turned code.
  std::vector<double> Given(std::size_t turned) const {
    std::vector<double> shares(weights_);
    for (std::size_t b = 0; b < shares.size(); ++b) shares[b] *= smooth_.shares[turned + b];
    const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) share /= total;
    return shares;
  }

  // ln P of the rows, each by all others, less that by the column's frequencies alone; in nats per row.
  double Gain() const {
    double gain = smooth_.ln_p;
    const double shared = kShareRows * static_cast<double>(weights_.size());
    for (std::size_t b = 0; b < weights_.size(); ++b) {
      const double rows = counts_.column[b].rows();
      if (rows == 0) continue;
      const double others = counts_.column[b].Others();
      gain += rows * Ln(weights_[b]);
      if (is_weighted_) gain += rows * Ln((others + kWeightRows) / (rows + kWeightRows));
      gain -= rows * Ln((others + kShareRows) / (counts_.all.rows() - counts_.column[b].Own() + shared));
    }
    for (std::size_t turned = 0; turned < counts_.from.size(); ++turned) {
      if (counts_.from[turned] > 0) gain -= counts_.from[turned] * Ln(SumGiven(turned));
    }
    return gain / counts_.all.rows();
  }

 private:
  double SumGiven(std::size_t turned) const {
    return std::inner_product(weights_.begin(), weights_.end(),
                              smooth_.shares.begin() + static_cast<std::ptrdiff_t>(turned), 0.0);
  }

  PairCounts counts_;
  SmoothShares smooth_;
  std::vector<double> weights_;
  bool is_weighted_ = false;
};

// Of the codes in the rows with a value in both columns; 0 if these are few.
double Correlation(const WeightedRows& rows, Feature column, const Difference& difference) {
  const double copy_rows = rows.CopyRows();
  RowSum all;
  double a = 0, b = 0, aa = 0, ab = 0, bb = 0;
  rows.codes.columns[difference.from].Visit([&](auto of_from) {
    rows.codes.columns[column].Visit([&](auto of_column) {
      for (std::size_t i = 0; i < of_column.size(); ++i) {
        if (of_from[i] >= difference.from_values || of_column[i] >= difference.values) continue;
        const double weight = rows.RowWeight(i);
        const double x = weight * of_from[i];
        const double y = weight * of_column[i];
        all.Add(weight, OwnRows(weight, copy_rows));
        a += x;
        b += y;
        aa += x * of_from[i];
        ab += x * of_column[i];
        bb += y * of_column[i];
      }
    });
  });
  if (all.Effective() < kLeastRows) return 0;
  const double n = all.rows();
  const double variances = std::max(aa - a * a / n, 0.0) * std::max(bb - b * b / n, 0.0);
  return variances > 0 ? (ab - a * b / n) / std::sqrt(variances) : 0;
}

struct Correlated {
  Difference difference;
  double size = 0;  // of the correlation
};

// The columns among `many` that this one is worth trying with, most correlated first.
std::vector<Correlated> ListCorrelated(const WeightedRows& rows, Feature column, std::span<const Feature> many,
                                       std::span<const Code> values) {
  std::vector<Correlated> correlated;
  for (const Feature from : many) {
    ThrowIfStopped();
    if (from == column || static_cast<double>(values[from]) * values[column] > kMostPairs) continue;
    Difference difference = {.from = from, .from_values = values[from], .values = values[column]};
    const double correlation = Correlation(rows, column, difference);
    difference.is_sum = correlation < 0;
    if (std::abs(correlation) >= kLeastCorrelation) correlated.push_back({difference, std::abs(correlation)});
  }
  std::ranges::stable_sort(correlated, std::ranges::greater(), &Correlated::size);
  correlated.resize(std::min(correlated.size(), kMostCorrelated));
  return correlated;
}

std::optional<Difference> TryPair(const WeightedRows& rows, Feature column, Difference difference) {
  DifferenceModel model(CountPairs(rows, column, difference));
  difference.gain = model.Gain();
  model.FindWeights();
  if (const double weighted = model.Gain(); weighted > difference.gain) {
    difference.is_weighted = true;
    difference.gain = weighted;
  }
  return difference.gain >= kLeastGain ? std::optional(difference) : std::nullopt;
}

}  // namespace

std::vector<std::vector<Difference>> FindDifferences(const WeightedRows& rows, const ColumnKinds& columns,
                                                     int threads) {
  std::vector<std::vector<Difference>> found(columns.sizes.size());
  std::vector<Feature> many;
  std::vector<Code> values = columns.sizes;
  for (Feature j = 0; j < values.size(); ++j) {
    if (!columns.has_missing.empty() && columns.has_missing[j]) --values[j];
    if (values[j] >= kLeastValues) many.push_back(j);
  }
  const auto pairs = static_cast<double>(many.size() * many.size());
  const WeightedRows sample = rows.EvenSample(static_cast<std::size_t>(kMostPairRows / std::max(pairs, 1.0)) + 1);
  ParallelFor(threads, many.size(), [&](std::size_t k) {
    const Feature column = many[k];
    double left = kMostPairsOfAll / static_cast<double>(many.size());
    for (const Correlated& one : ListCorrelated(sample, column, many, values)) {
      ThrowIfStopped();
      left -= static_cast<double>(values[column]) * values[one.difference.from];
      if (left < 0) break;
      if (const auto difference = TryPair(rows, column, one.difference)) found[column].push_back(*difference);
    }
    std::ranges::stable_sort(found[column], std::ranges::greater(), &Difference::gain);
  });
  return found;
}

std::vector<std::vector<Logit>> LearnDifference(const WeightedRows& rows, Feature column, const Difference& difference,
                                                std::span<const Question> questions) {
  std::vector<std::vector<Logit>> logits(questions.size());
  PairCounts pairs = CountPairs(rows, column, difference);
  if (pairs.all.Effective() < kLeastRowsOfPart) return logits;
  DifferenceModel model(std::move(pairs));
  if (difference.is_weighted) model.FindWeights();
  const auto size = static_cast<Code>(questions.size() + 1);
  const double missing =
      size == difference.values ? 0 : (rows.CategoryWeights(column, size).back() + kShareRows) / (rows.TotalRows() + 1);
  for (Code from = 0; from < difference.from_values; ++from) {
    std::vector<double> shares = model.Given(Turned(difference, from));
    for (double& share : shares) share *= 1 - missing;
    shares.resize(size, missing);
    const std::vector<AnswerMasses> answers = AnswersOf(questions, shares);
    for (std::size_t q = 0; q < questions.size(); ++q) {
      const Logit logit = OddsLogit(answers[q].yes, answers[q].no) - questions[q].bias;
      logits[q].push_back((logit + (logit < 0 ? -kLogitStep : kLogitStep) / 2) / kLogitStep * kLogitStep);
    }
  }
  return logits;
}

}  // namespace dtf
