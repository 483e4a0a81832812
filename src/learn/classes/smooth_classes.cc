#include "learn/classes/smooth_classes.h"

#include <algorithm>

#include "base/logarithm.h"
#include "base/ragged.h"
#include "base/softmax.h"
#include "base/stop.h"
#include "count/class_kernels.h"
#include "learn/classes/class_network.h"
#include "learn/classes/class_steps.h"
#include "learn/row_groups.h"

namespace dtf {
namespace {

constexpr double kMostOfBatch = 128;
constexpr double kRate = 2e-3;    // of the first steps
constexpr double kMostNats = 80;  // between a column's categories, so that each is possible

// The logits of a column's categories; the most frequent category, `first`, has none (its logit is 0).
struct LogitColumn {
  std::size_t begin = 0;
  Code size = 0;
  Code first = 0;

  std::size_t logits() const { return size - 1u; }
  std::size_t LogitOf(Code code) const { return begin + code - (code > first ? 1 : 0); }  // not of `first`
};

class ClassLearner {
 public:
  ClassLearner(const WeightedRows& rows, std::span<const Code> sizes, const SmoothClassOptions& options,
               std::uint64_t seed)
      : rows_(rows),
        options_(options),
        network_(Offsets(sizes), options.classes, seed, options.number),
        draws_(rows, seed, options.number),
        pace_(PaceFor(rows.TotalRows(), options.passes, kMostOfBatch)) {
    ListLogits();
  }

  std::vector<LatentClass> Learn() {
    StepSizes sizes(pace_);
    for (std::size_t step = 0; step < pace_.steps; ++step) {
      ThrowIfStopped();
      AddBatch(step);
      sizes.Next();
      network_.Move(sizes.Of(kRate, options_.decay));
    }
    return TakeClasses();
  }

 private:
  // The logits of the whole table's frequencies.
  std::vector<float> Offsets(std::span<const Code> sizes) {
    std::vector<float> offsets;
    for (Feature j = 0; j < sizes.size(); ++j) {
      const std::vector<double> counts = rows_.CategoryWeights(j, sizes[j]);
      const auto most = std::ranges::max_element(counts);
      columns_.push_back({offsets.size(), sizes[j], static_cast<Code>(most - counts.begin())});
      for (auto count = counts.begin(); count != counts.end(); ++count) {
        if (count != most) offsets.push_back(static_cast<float>(Ln((*count + 0.5) / (*most + 0.5))));
      }
    }
    return offsets;
  }

  // Where each row's logits begin.
  void ListLogits() {
    row_logits_ = GroupValues(rows_.codes.rows, [&](const auto& f) {
      for (std::size_t j = 0; j < columns_.size(); ++j) {
        rows_.codes.columns[j].Visit([&](auto cells) {
          for (std::size_t i = 0; i < cells.size(); ++i) {
            const auto code = static_cast<Code>(cells[i]);
            if (code == columns_[j].first || code >= columns_[j].size) continue;
            f(i, static_cast<std::uint32_t>(columns_[j].LogitOf(code) * options_.classes));
          }
        });
      }
    });
  }

  // What a batch of rows says to the logits.
  void AddBatch(std::size_t step) {
    const std::span<const float> logits = network_.FindLogits();
    const std::size_t classes = options_.classes;
    const std::span<float> first(first_.Resize(classes), classes);
    const std::span<float> masses(masses_.Resize(classes), classes);
    const std::span<float> scratch(scratch_.Resize(classes), classes);
    std::ranges::fill(first, 0.0f);
    std::ranges::fill(masses, 0.0f);
    const auto of_column = [&](const LogitColumn& column, auto all) {
      return all.subspan(column.begin * classes, column.logits() * classes);
    };
    for (const LogitColumn& column : columns_) AddFirstLogProbs(of_column(column, logits), first);
    for (const std::size_t i : draws_.Draw(step, pace_.batch)) {
      AddRow(row_logits_[i], logits.data(), first, network_.gradient().data(), masses, scratch);
    }
    for (const LogitColumn& column : columns_) {
      FinishGradient(of_column(column, logits), masses, of_column(column, network_.gradient()));
    }
  }

  std::vector<LatentClass> TakeClasses() {
    const std::span<const float> logits = network_.FindLogits();
    std::vector<LatentClass> classes(options_.classes);
    for (std::size_t c = 0; c < classes.size(); ++c) {
      classes[c].weight = 1 / static_cast<double>(classes.size());
      for (const LogitColumn& column : columns_) {
        std::vector<double>& shares = classes[c].shares.emplace_back(column.size);
        for (Code code = 0; code < column.size; ++code) {
          if (code != column.first) shares[code] = logits[column.LogitOf(code) * classes.size() + c];
        }
        const double least = std::ranges::max(shares) - kMostNats;
        for (double& share : shares) share = std::max(share, least);
        Softmax(shares);
      }
    }
    return classes;
  }

  const WeightedRows& rows_;
  const SmoothClassOptions& options_;
  std::vector<LogitColumn> columns_;
  ClassNetwork network_;
  RowDraws draws_;
  Pace pace_;
  Ragged<std::uint32_t> row_logits_;  // of each row
  AlignedBuffer<float> first_;
  AlignedBuffer<float> masses_;
  AlignedBuffer<float> scratch_;
};

}  // namespace

std::vector<LatentClass> FitSmoothClasses(const WeightedRows& rows, std::span<const Code> sizes,
                                          const SmoothClassOptions& options, std::uint64_t seed) {
  return ClassLearner(rows, sizes, options, seed).Learn();
}

double WorkOfSmoothClasses(const WeightedRows& rows, std::span<const Code> sizes, const SmoothClassOptions& options) {
  constexpr double kCell = 0.12;
  constexpr double kProduct = 0.06;
  const Pace pace = PaceFor(rows.TotalRows(), options.passes, kMostOfBatch);
  std::size_t logits = 0;
  for (const Code size : sizes) logits += size - 1u;
  const double of_class =
      kProduct * ClassNetwork::ProductsOfStep(logits) + kCell * static_cast<double>(pace.batch * sizes.size());
  return static_cast<double>(pace.steps * options.classes) * of_class;
}

}  // namespace dtf
