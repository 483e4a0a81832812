#include "learn/classes/term_classes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "base/logarithm.h"
#include "base/stop.h"
#include "count/class_answers.h"
#include "learn/classes/class_network.h"
#include "learn/classes/class_steps.h"
#include "learn/classes/row_answers.h"
#include "learn/classes/shared_terms.h"
#include "learn/questions/context_tests.h"
#include "learn/questions/logits.h"
#include "learn/questions/question_tree.h"

namespace dtf {
namespace {

constexpr double kMostOfBatch = 64;
// Of the first steps.
constexpr double kRate = 2e-3;
constexpr double kTermRate = 1e-3;
// Smaller terms are dropped, and so are the smallest ones when there are more than kMostTerms.
constexpr float kLeastTerm = 0.01f;
constexpr std::size_t kMostTerms = std::size_t{1} << 18;
constexpr double kMostNats = 32;  // of a term or bias

// A test for each category, of the columns in this order.
ContextTests CategoryTests(const WeightedRows& rows, std::span<const Code> sizes, std::span<const Feature> order) {
  const ContextTests all = ChooseTests(rows, sizes, order);
  ContextTests categories{.tests = {}, .begin = all.begin};
  for (std::size_t p = 0; p < order.size(); ++p) {
    std::copy_if(all.tests.begin() + static_cast<std::ptrdiff_t>(all.begin[p]),
                 all.tests.begin() + static_cast<std::ptrdiff_t>(all.begin[p + 1]),
                 std::back_inserter(categories.tests), [](const CodeTest& test) { return test.first == test.last; });
    categories.begin[p + 1] = categories.tests.size();
  }
  return categories;
}

class ClassLearner {
 public:
  ClassLearner(const WeightedRows& rows, std::span<const Code> sizes, std::span<const std::vector<Question>> questions,
               const TermClassOptions& options, std::uint64_t seed)
      : rows_(rows),
        questions_(questions),
        options_(options),
        contexts_(CategoryTests(rows, sizes, options.order)),
        row_answers_(rows, options.order, questions, contexts_.tests),
        network_(Offsets(), options.classes, seed, options.number),
        terms_(FirstQuestions(), TestMeans(), row_answers_.questions()),
        draws_(rows, seed, options.number),
        pace_(PaceFor(rows.TotalRows(), options.passes, kMostOfBatch)) {}

  ClassFit Learn() {
    const double penalty = options_.penalty * static_cast<double>(pace_.batch) / rows_.TotalRows();
    StepSizes sizes(pace_);
    for (std::size_t step = 0; step < pace_.steps; ++step) {
      ThrowIfStopped();
      AddBatch(step);
      sizes.Next();
      network_.Move(sizes.Of(kRate, options_.decay));
      terms_.Move(sizes.Of(kTermRate, 0), static_cast<float>(penalty));
    }
    return Take();
  }

 private:
  // Of the categories of the column at this position.
  std::vector<double> WeightsAt(std::size_t position) const {
    const Feature column = options_.order[position];
    return rows_.CategoryWeights(column, static_cast<Code>(questions_[column].size() + 1));
  }

  // ln odds of each question's answers in the table.
  std::vector<float> Offsets() const {
    std::vector<float> offsets;
    for (std::size_t p = 0; p < options_.order.size(); ++p) {
      for (const auto& [yes, no] : AnswersOf(questions_[options_.order[p]], WeightsAt(p))) {
        offsets.push_back(static_cast<float>(Ln((yes + 0.5) / (no + 0.5))));
      }
    }
    return offsets;
  }

  // By test: the first one of a later column.
  std::vector<std::size_t> FirstQuestions() const {
    std::vector<std::size_t> first;
    for (std::size_t p = 0; p < options_.order.size(); ++p)
      first.resize(contexts_.begin[p + 1], row_answers_.begin(p + 1));
    return first;
  }

  std::vector<float> TestMeans() const {
    const double total = rows_.TotalRows();
    std::vector<float> means;
    for (std::size_t p = 0; p < options_.order.size(); ++p) {
      const std::vector<double> weights = WeightsAt(p);
      for (std::size_t t = contexts_.begin[p]; t < contexts_.begin[p + 1]; ++t) {
        means.push_back(static_cast<float>(weights[contexts_.tests[t].first] / total));
      }
    }
    return means;
  }

  // What a batch of rows says.
  void AddBatch(std::size_t step) {
    const std::span<const float> logits = network_.FindLogits();
    const std::span<float> odds(odds_.Resize(logits.size()), logits.size());
    FindOdds(logits, odds);
    for (const std::size_t i : draws_.Draw(step, pace_.batch)) AddRow(i, {logits, odds, options_.classes});
  }

  void AddRow(std::size_t i, const ClassLogits& classes) {
    row_answers_.Read(i, row_);
    const std::span<const float> shifts = terms_.FindShifts(row_.passed);
    const std::span<float> shift_odds(shift_odds_.Resize(shifts.size()), shifts.size());
    FindOdds(shifts, shift_odds);
    const std::size_t scratch = (row_.answers.size() + 1) * options_.classes;
    to_answers_.resize(row_.answers.size());
    AddAnswers(row_.answers, classes, shift_odds, {scratch_.Resize(scratch), scratch}, network_.gradient(),
               to_answers_);
    to_shifts_.assign(row_answers_.questions(), 0.0f);
    for (std::size_t a = 0; a < row_.answers.size(); ++a) to_shifts_[row_.answers[a].question] = to_answers_[a];
    terms_.AddGradient(row_.passed, to_shifts_);
  }

  // f(position, question of the column, its number)
  template <typename F>
  void ForEachQuestion(const F& f) const {
    for (std::size_t p = 0; p < options_.order.size(); ++p) {
      for (std::size_t q = row_answers_.begin(p); q < row_answers_.begin(p + 1); ++q)
        f(p, q - row_answers_.begin(p), q);
    }
  }

  // The least absolute value of a term that is kept.
  float LeastTerm() const {
    std::vector<float> sizes;
    ForEachQuestion([&](std::size_t p, std::size_t, std::size_t number) {
      for (std::size_t test = 0; test < contexts_.begin[p]; ++test) {
        const float size = std::abs(terms_.At(test, number));
        if (size >= kLeastTerm) sizes.push_back(size);
      }
    });
    if (sizes.size() <= kMostTerms) return kLeastTerm;
    const auto last = sizes.begin() + static_cast<std::ptrdiff_t>(kMostTerms - 1);
    std::ranges::nth_element(sizes, last, std::greater<>());
    return *last;
  }

  ClassFit Take() {
    ClassFit fit{.order = options_.order, .tests = contexts_.tests, .conditioners = {}, .classes = {}};
    for (const auto& of_column : questions_) fit.conditioners.push_back({of_column});
    const float least = LeastTerm();
    // A question's terms never sum to more than a half of what it may have.
    const double most = std::min(
        kMostNats, kLogitUnit * kMostLogit / 2 / static_cast<double>(std::max(contexts_.tests.size(), std::size_t{1})));
    ForEachQuestion([&](std::size_t p, std::size_t question, std::size_t number) {
      auto& terms = fit.conditioners[options_.order[p]].questions[question].terms;
      for (std::uint32_t test = 0; test < contexts_.begin[p]; ++test) {
        const float term = terms_.At(test, number);
        if (std::abs(term) >= least) terms.push_back({test, ToLogit(term, most)});
      }
    });
    DropUnusedTests(fit.tests, fit.conditioners);
    const std::span<const float> logits = network_.FindLogits();
    for (std::size_t c = 0; c < options_.classes; ++c) {
      ClassFit::Class& one = fit.classes.emplace_back();
      one.weight = 1 / static_cast<double>(options_.classes);
      one.biases.resize(options_.order.size());
      ForEachQuestion([&](std::size_t p, std::size_t, std::size_t number) {
        const float bias = logits[number * options_.classes + c] + terms_.offsets()[number];
        one.biases[options_.order[p]].push_back(ToLogit(bias, kMostNats));
      });
    }
    return fit;
  }

  const WeightedRows& rows_;
  std::span<const std::vector<Question>> questions_;
  const TermClassOptions& options_;
  ContextTests contexts_;
  RowAnswers row_answers_;
  ClassNetwork network_;
  SharedTerms terms_;
  RowDraws draws_;
  Pace pace_;
  AnsweredRow row_;
  std::vector<float> to_answers_;
  std::vector<float> to_shifts_;
  AlignedBuffer<float> odds_;
  AlignedBuffer<float> shift_odds_;
  AlignedBuffer<float> scratch_;
};

// Of a row, in the mean.
double CountAnswers(const WeightedRows& rows, std::span<const std::vector<Question>> questions) {
  double answers = 0;
  for (Feature j = 0; j < questions.size(); ++j) {
    const auto paths = FindPaths(questions[j]);
    const std::vector<double> weights = rows.CategoryWeights(j, static_cast<Code>(paths.size()));
    for (std::size_t code = 0; code < weights.size(); ++code) {
      answers += weights[code] * static_cast<double>(paths[code].size());
    }
  }
  return answers / rows.TotalRows();
}

}  // namespace

ClassFit FitTermClasses(const WeightedRows& rows, std::span<const Code> sizes,
                        std::span<const std::vector<Question>> questions, const TermClassOptions& options,
                        std::uint64_t seed) {
  return ClassLearner(rows, sizes, questions, options, seed).Learn();
}

double WorkOfTermClasses(const WeightedRows& rows, std::span<const std::vector<Question>> questions,
                         const TermClassOptions& options) {
  constexpr double kAnswer = 0.8;    // of a class
  constexpr double kProduct = 0.06;  // likewise
  constexpr double kTermOfRow = 0.2;
  constexpr double kTermOfStep = 2;
  const Pace pace = PaceFor(rows.TotalRows(), options.passes, kMostOfBatch);
  const auto batch = static_cast<double>(pace.batch);
  std::size_t count = 0;
  for (const auto& of_column : questions) count += of_column.size();
  const double of_classes = static_cast<double>(options.classes) * (kProduct * ClassNetwork::ProductsOfStep(count) +
                                                                    kAnswer * batch * CountAnswers(rows, questions));
  const double of_terms =
      static_cast<double>(count) *
      (kTermOfRow * batch * static_cast<double>(questions.size()) + kTermOfStep * static_cast<double>(count)) / 2;
  return static_cast<double>(pace.steps) * (of_classes + of_terms);
}

}  // namespace dtf
