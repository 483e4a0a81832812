#include "learn/classes/few_classes.h"

#include <numeric>

#include "base/logarithm.h"
#include "base/random.h"
#include "base/softmax.h"
#include "base/stop.h"

namespace dtf {
namespace {

// A row's share in the class that it is put into at first; the rest is divided among all classes.
constexpr double kFirstShare = 0.7;

// ln P of the rows' categories in each class, the class's weight included: of row i and class c at [i · classes + c].
std::vector<double> JointLogProbs(std::span<const LatentClass> classes, const CodeTable& codes) {
  std::vector<double> joint(codes.rows * classes.size());
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const double log_weight = Ln(classes[c].weight);
    for (std::size_t i = 0; i < codes.rows; ++i) joint[i * classes.size() + c] = log_weight;
  }
  for (std::size_t j = 0; j < codes.columns.size(); ++j) {
    const std::size_t size = classes[0].shares[j].size();
    std::vector<double> logs(size * classes.size());
    for (std::size_t c = 0; c < classes.size(); ++c) {
      for (std::size_t code = 0; code < size; ++code) {
        logs[code * classes.size() + c] = Ln(classes[c].shares[j][code]);
      }
    }
    codes.columns[j].Visit([&](auto cells) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] >= size) continue;
        for (std::size_t c = 0; c < classes.size(); ++c) {
          joint[i * classes.size() + c] += logs[cells[i] * classes.size() + c];
        }
      }
    });
  }
  return joint;
}

class ClassLearner {
 public:
  ClassLearner(const WeightedRows& rows, std::span<const Code> sizes, const FewClassOptions& options)
      : rows_(rows), sizes_(sizes), options_(options), total_(rows.TotalRows()) {
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      std::vector<double> counts = rows.CategoryWeights(static_cast<Feature>(j), sizes[j]);
      for (double& count : counts) count += 0.5;
      ScaleToOne(counts);
      prior_.push_back(std::move(counts));
    }
  }

  // The share of row i that belongs to class c, at [i · classes + c].
  std::vector<double> RandomShares(std::uint64_t seed) const {
    const std::size_t classes = options_.classes;
    std::vector<double> shares(rows_.codes.rows * classes, (1 - kFirstShare) / static_cast<double>(classes));
    for (std::size_t i = 0; i < rows_.codes.rows; ++i) {
      shares[i * classes + RandomStream(seed, RandomPurpose::kClasses, i).Below(classes)] += kFirstShare;
    }
    return shares;
  }

  // The most probable classes, given the rows' shares: the maximisation step.
  std::vector<LatentClass> Learn(std::span<const double> shares) const {
    const std::size_t classes = options_.classes;
    std::vector<LatentClass> learnt(classes);
    for (LatentClass& one : learnt) {
      one.weight = 1;
      for (const auto& prior : prior_) {
        auto& counts = one.shares.emplace_back(prior);
        for (double& count : counts) count *= options_.prior_rows;
      }
    }
    for (std::size_t i = 0; i < rows_.codes.rows; ++i) {
      for (std::size_t c = 0; c < classes; ++c) learnt[c].weight += rows_.RowWeight(i) * shares[i * classes + c];
    }
    for (std::size_t j = 0; j < sizes_.size(); ++j) {
      ForEachCell(j, [&](std::size_t i, Code code) {
        const double weight = rows_.RowWeight(i);
        for (std::size_t c = 0; c < classes; ++c) learnt[c].shares[j][code] += weight * shares[i * classes + c];
      });
    }
    for (LatentClass& one : learnt) {
      one.weight /= total_ + static_cast<double>(classes);
      for (auto& counts : one.shares) ScaleToOne(counts);
    }
    return learnt;
  }

 private:
  static void ScaleToOne(std::vector<double>& counts) {
    const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
    for (double& count : counts) count /= sum;
  }

  template <typename F>
  void ForEachCell(std::size_t column, const F& f) const {
    rows_.codes.columns[column].Visit([&](auto cells) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] < sizes_[column]) f(i, static_cast<Code>(cells[i]));
      }
    });
  }

  const WeightedRows& rows_;
  std::span<const Code> sizes_;
  const FewClassOptions& options_;
  double total_;
  std::vector<std::vector<double>> prior_;  // by column: the table's own frequencies
};

}  // namespace

std::vector<LatentClass> FitFewClasses(const WeightedRows& rows, std::span<const Code> sizes,
                                       const FewClassOptions& options, std::uint64_t seed) {
  const ClassLearner learner(rows, sizes, options);
  std::vector<double> shares = learner.RandomShares(seed);
  std::vector<LatentClass> classes = learner.Learn(shares);
  for (int step = 0; step < options.steps; ++step) {
    ThrowIfStopped();
    shares = JointLogProbs(classes, rows.codes);
    for (std::size_t i = 0; i < rows.codes.rows; ++i) {
      Softmax(std::span(shares).subspan(i * options.classes, options.classes));
    }
    classes = learner.Learn(shares);
  }
  return classes;
}

double WorkOfFewClasses(const WeightedRows& rows, const FewClassOptions& options) {
  constexpr double kCellAndClass = 2;  // once to judge, once to learn
  const std::size_t cells = rows.codes.rows * rows.codes.columns.size();
  return kCellAndClass * static_cast<double>(cells * options.classes) * options.steps;
}

}  // namespace dtf
