#include "learn/forest/fit_member.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "base/random.h"
#include "learn/forest/difference_starts.h"
#include "learn/forest/work.h"
#include "learn/network/count_tree.h"
#include "learn/questions/marginals.h"
#include "learn/questions/question_tree.h"

namespace dtf {
namespace {

// A question that fewer rows answer one way has nothing to be learnt but its marginal.
constexpr double kLeastMinority = 2;

// The validation rows choose one of these penalties. The first, which leaves hardly more than the marginal, is taken
// when there are no such rows.
constexpr double kRidgePenalties[] = {1e6, 1000, 100, 30, 10, 3, 1, 0.3, 0.1, 0.03};
constexpr std::size_t kJudgedRegressions = 32;

// Above so many tests a ridge regression's factor would cost more than the trees.
constexpr std::size_t kMostRidgeTests = 5120;
// The factor that questions of all rows share takes longer than the metrics that each makes of its own, by rows, when
// there are so many times as many tests as rows.
constexpr std::size_t kTestsPerRow = 4;

class Member {
 public:
  Member(const ColumnQuestions& columns, const MemberRows& rows, const MemberOptions& options)
      : columns_(columns),
        rows_(rows),
        options_(options),
        learner_(options.learner),
        starts_(ChooseStarts()),
        contexts_(ChooseTests(rows.train, columns.sizes, options.order, columns.ordered)),
        train_weights_(QuestionWeights(rows.train)),
        train_planes_(rows.train.codes, contexts_.tests),
        all_tests_(FirstTests(contexts_.tests.size())) {
    if (rows.valid != nullptr) {
      valid_weights_ = QuestionWeights(rows.valid->rows);
      valid_planes_.emplace(rows.valid->rows.codes, contexts_.tests);
    }
  }

  MemberFit Fit() {
    MemberFit fit;
    fit.conditioners.resize(columns_.sizes.size());
    fit.questions.resize(columns_.sizes.size());
    AskQuestions(fit);
    LearnStarts(fit);
    PrepareColumns();
    fit.regressions = learner_.ridge = learner_.ridge && BeginsWithRegressions();
    if (learner_.ridge) {
      if (SharesFactor() && std::ranges::any_of(tasks_, &Task::regresses)) MakeFactor();
      ChooseRidgePenalty(fit);
    }
    std::vector<double> work(tasks_.size());
    ParallelFor(options_.threads, tasks_.size(), [&](std::size_t i) { work[i] = FitOne(tasks_[i], fit); });
    fit.work += std::accumulate(work.begin(), work.end(), 0.0);
    fit.tests = contexts_.tests;
    starts_.AddTo(columns_.sizes, fit.tests, fit.conditioners);
    if (judges() && options_.trimmed) {
      TrimTo(SizesOf(fit), fit);
    } else {
      DropUnusedTests(fit.tests, fit.conditioners);
    }
    return fit;
  }

 private:
  struct Task {
    Feature column;
    std::size_t question;
    std::size_t position;  // of the column in the order
    Logit marginal;
    double rows;  // distinct ones, about
    double cost;
    bool regresses;
  };

  // The rows of a question, and what it is learnt from there.
  struct TaskRows {
    QuestionRows train;
    std::optional<QuestionRows> valid;
    const RidgeFactor* factor;
  };

  bool IsLearnt(std::size_t position) const { return options_.positions.empty() || options_.positions[position]; }

  // Whether there are rows to say how much is to be learnt.
  bool judges() const { return rows_.valid != nullptr && options_.sizes == nullptr; }

  // The questions of all columns, with marginal answers; a task for each that has more to learn, dearest first.
  void AskQuestions(MemberFit& fit) {
    ranges_.resize(columns_.sizes.size());
    for (std::size_t position = 0; position < options_.order.size(); ++position) {
      const Feature column = options_.order[position];
      auto& questions = fit.conditioners[column].questions;
      questions = columns_.questions[column];
      fit.questions[column].resize(questions.size());
      ranges_[column] = FindRanges(questions);
      if (IsLearnt(position)) AskQuestions(column, position, questions);
    }
    std::stable_sort(tasks_.begin(), tasks_.end(), [](const Task& a, const Task& b) { return a.cost > b.cost; });
  }

  void AskQuestions(Feature column, std::size_t position, std::vector<Question>& questions) {
    const std::vector<double> weights = rows_.train.CategoryWeights(column, columns_.sizes[column]);
    const std::vector<AnswerMasses> answers = AnswersOf(questions, weights);
    const QuestionRanges& ranges = ranges_[column];
    for (std::size_t q = 0; q < questions.size(); ++q) {
      const auto [yes, no] = answers[q];
      const Logit marginal = questions[q].bias =
          MarginalLogit({yes, ranges.middle[q] - ranges.first[q]}, {no, ranges.last[q] - ranges.middle[q]});
      if (std::min(yes, no) < kLeastMinority || contexts_.begin[position] == 0) continue;
      const double share = std::min((yes + no) / rows_.train.TotalRows(), 1.0);
      tasks_.push_back({column, q, position, marginal, share * static_cast<double>(rows_.train.codes.rows),
                        (yes + no) * static_cast<double>(contexts_.begin[position]), true});
    }
  }

  // What a member that boosts begins with.
  DifferenceStarts ChooseStarts() const {
    if (columns_.differences.empty() || !learner_.boost || options_.network != nullptr) {
      return DifferenceStarts(columns_.sizes.size());
    }
    return {columns_.differences, options_.order};
  }

  void LearnStarts(const MemberFit& fit) {
    ParallelFor(options_.threads, options_.order.size(), [&](std::size_t position) {
      const Feature column = options_.order[position];
      if (IsLearnt(position)) starts_.Learn(rows_.train, column, fit.conditioners[column].questions);
    });
    for (Task& task : tasks_) task.regresses = !starts_.Has(task.column);
  }

  void PrepareColumns() {
    std::vector<bool> asked(columns_.sizes.size(), false);
    for (const Task& task : tasks_) asked[task.column] = true;
    train_columns_.resize(asked.size());
    valid_columns_.resize(asked.size());
    ParallelFor(options_.threads, asked.size(), [&](std::size_t j) {
      if (!asked[j]) return;
      train_columns_[j].emplace(rows_.train.codes.columns[j], ranges_[j]);
      if (rows_.valid != nullptr) valid_columns_[j].emplace(rows_.valid->rows.codes.columns[j], ranges_[j]);
    });
  }

  bool BeginsWithRegressions() const {
    if (!learner_.boost) return true;  // there is nothing else
    if (options_.sizes != nullptr) return options_.sizes->regressions;
    return contexts_.tests.size() <= kMostRidgeTests && ExpectedRegressionWork() <= options_.most_regression_work;
  }

  // In the questions of all columns, if some of them are representative.
  double ExpectedRegressionWork() const {
    constexpr int kEvaluations = 20;
    double work = 0;
    for (const Task& task : tasks_) {
      if (!task.regresses) continue;
      const auto rows = static_cast<std::size_t>(task.rows);
      const std::size_t tests = contexts_.begin[task.position];
      const bool shares = SharesFactor() && rows == rows_.train.codes.rows;
      work += WorkOfRegression(kEvaluations, rows, tests, shares);
    }
    const auto learnt = std::ranges::count(options_.positions, true);
    return learnt == 0 ? work : work * static_cast<double>(options_.positions.size()) / static_cast<double>(learnt);
  }

  bool SharesFactor() const {
    return options_.network == nullptr && contexts_.tests.size() < kTestsPerRow * rows_.train.codes.rows;
  }

  void MakeFactor() {
    factor_.emplace(train_planes_.First(contexts_.begin[options_.order.size() - 1]), train_weights_.weights,
                    train_weights_.unit, rows_.train.codes.rows, kRidgeMetricRows, options_.threads);
  }

  void ChooseRidgePenalty(MemberFit& fit) const {
    if (options_.ridge_penalty) {
      fit.ridge_penalty = options_.ridge_penalty;
    } else if (options_.sizes != nullptr) {
      fit.ridge_penalty = options_.sizes->ridge_penalty;
    } else if (judges()) {
      JudgeRidgePenalties(fit);
    }
  }

  // One number for all: some of them, from the dearest to the cheapest, say which.
  void JudgeRidgePenalties(MemberFit& fit) const {
    std::vector<const Task*> regressions;
    for (const Task& task : tasks_) {
      if (task.regresses) regressions.push_back(&task);
    }
    if (regressions.empty()) return;
    const std::size_t count = std::min(regressions.size(), kJudgedRegressions);
    std::vector<std::vector<double>> losses(count);
    std::vector<double> work(count);
    ParallelFor(options_.threads, count, [&](std::size_t i) {
      const Task& task = *regressions[i * regressions.size() / count];
      const TaskRows rows = RowsOf(task, TestsBefore(task.position));
      LinearTrials trials = LinearLosses(rows.train, *rows.valid, rows.factor, kRidgePenalties, task.marginal);
      losses[i] = std::move(trials.losses);
      work[i] =
          WorkOfRegression(trials.evaluations, rows.train.rows(), rows.train.tests().planes, rows.factor != nullptr);
    });
    fit.ridge_penalty = kRidgePenalties[PositionOfLeastSum(losses)];
    fit.work += std::accumulate(work.begin(), work.end(), 0.0);
  }

  // Returns the work.
  double FitOne(const Task& task, MemberFit& fit) const {
    if (options_.network == nullptr) return FitFrom(RowsOf(task, TestsBefore(task.position)), task, fit);
    const std::vector<std::uint32_t> tests = TestsOf(options_.network->parents[task.column]);
    const double work = FitFrom(RowsOf(task, tests), task, fit);
    ForEachTest(fit.conditioners[task.column].questions[task.question],
                [&](std::uint32_t& test) { test = tests[test]; });
    return work;
  }

  // Of these columns, ascending.
  std::vector<std::uint32_t> TestsOf(std::span<const Feature> columns) const {
    std::vector<std::uint32_t> tests;
    for (std::uint32_t t = 0; t < contexts_.tests.size(); ++t) {
      if (std::binary_search(columns.begin(), columns.end(), contexts_.tests[t].column)) tests.push_back(t);
    }
    return tests;
  }

  // Of the columns before this position.
  std::span<const std::uint32_t> TestsBefore(std::size_t position) const {
    return std::span(all_tests_).first(contexts_.begin[position]);
  }

  TaskRows RowsOf(const Task& task, std::span<const std::uint32_t> tests) const {
    TaskRows rows{.train = QuestionRows(*train_columns_[task.column], task.question, train_weights_, train_planes_,
                                        tests, 0, starts_.Of(task.column, task.question, rows_.train.codes)),
                  .valid = std::nullopt,
                  .factor = nullptr};
    if (valid_planes_) {
      rows.valid.emplace(*valid_columns_[task.column], task.question, *valid_weights_, *valid_planes_, tests,
                         rows_.valid->first_half, starts_.Of(task.column, task.question, rows_.valid->rows.codes));
    }
    if (factor_ && rows.train.rows() == rows_.train.codes.rows) rows.factor = &*factor_;
    return rows;
  }

  double FitFrom(const TaskRows& rows, const Task& task, MemberFit& fit) const {
    const std::uint64_t seed = RandomStream(options_.seed, RandomPurpose::kQuestion, task.column, task.question).Next();
    Question& question = fit.conditioners[task.column].questions[task.question];
    QuestionFit& done = fit.questions[task.column][task.question];
    done = FitQuestion(
        rows.train, rows.valid ? &*rows.valid : nullptr, learner_, rows.factor,
        fit.ridge_penalty.value_or(kRidgePenalties[0]),
        options_.sizes != nullptr ? std::optional(options_.sizes->trees[task.column][task.question]) : std::nullopt,
        seed, question);
    const std::size_t count = rows.train.rows();
    const std::size_t tests = rows.train.tests().planes;
    return WorkOfTrees(question, learner_, done.rounds, count, tests) +
           WorkOfRegression(done.evaluations, count, tests, rows.factor != nullptr);
  }

  const ColumnQuestions& columns_;
  const MemberRows& rows_;
  const MemberOptions& options_;
  Learner learner_;
  DifferenceStarts starts_;
  ContextTests contexts_;
  CoarseWeights train_weights_;
  std::optional<CoarseWeights> valid_weights_;
  ContextPlanes train_planes_;
  std::optional<ContextPlanes> valid_planes_;
  std::optional<RidgeFactor> factor_;
  std::vector<std::uint32_t> all_tests_;
  std::vector<QuestionRanges> ranges_;
  // Those that have tasks.
  std::vector<std::optional<AskedColumn>> train_columns_;
  std::vector<std::optional<AskedColumn>> valid_columns_;
  std::vector<Task> tasks_;
};

MemberFit FitCounts(const ColumnQuestions& columns, const WeightedRows& rows, const Network& network) {
  CountTables tables = LearnCounts(rows, columns.sizes, columns.questions, network);
  MemberFit fit{.tests = std::move(tables.tests), .conditioners = std::move(tables.conditioners), .questions = {}};
  for (const Conditioner& conditioner : fit.conditioners) fit.questions.emplace_back(conditioner.questions.size());
  fit.work = WorkOfCounts(rows.codes.rows, fit.conditioners);
  DropUnusedTests(fit.tests, fit.conditioners);
  return fit;
}

}  // namespace

ColumnQuestions ChooseQuestions(const WeightedRows& rows, std::vector<Code> sizes, std::vector<bool> ordered,
                                const std::vector<std::vector<ToldColumn>>& told) {
  ColumnQuestions columns{.sizes = std::move(sizes), .ordered = std::move(ordered), .questions = {}, .is_key = {}};
  for (Feature j = 0; j < columns.sizes.size(); ++j) {
    // First of all, categories without rows are told apart from the others: in questions that they share with
    // categories that have rows, everything that predicts these would count against them.
    std::vector<Code> has_rows;
    std::vector<std::span<const Code>> levels;
    if (!told.empty() && !told[j].empty()) {
      const auto& [column, first] = told[j].front();
      for (const Code code : first) has_rows.push_back(code < columns.sizes[column] ? 1 : 0);
      levels.push_back(has_rows);
      for (const ToldColumn& one : told[j]) levels.push_back(one.told);
    }
    columns.questions.push_back(columns.ordered[j]
                                    ? BalancedQuestions(columns.sizes[j])
                                    : HuffmanQuestions(rows.CountCategories(j, columns.sizes[j]), levels));
    columns.is_key.push_back(!levels.empty());
  }
  return columns;
}

MemberFit FitMember(const ColumnQuestions& columns, const MemberRows& rows, const MemberOptions& options) {
  if (options.counts) return FitCounts(columns, rows.train, *options.network);
  return Member(columns, rows, options).Fit();
}

MemberSizes SizesOf(const MemberFit& fit, JudgingRows judging) {
  return {.trees = ChooseTreeCounts(fit.questions, judging),
          .ridge_penalty = fit.ridge_penalty,
          .regressions = fit.regressions};
}

void TrimTo(const MemberSizes& sizes, MemberFit& fit) {
  for (std::size_t column = 0; column < fit.questions.size(); ++column) {
    for (std::size_t q = 0; q < fit.questions[column].size(); ++q) {
      TrimTrees(sizes.trees[column][q], fit.questions[column][q], fit.conditioners[column].questions[q]);
    }
  }
  DropUnusedTests(fit.tests, fit.conditioners);
}

std::vector<Feature> NaturalOrder(std::size_t columns) {
  std::vector<Feature> order(columns);
  std::iota(order.begin(), order.end(), Feature{0});
  return order;
}

std::vector<Feature> KeysLast(const ColumnQuestions& columns, std::vector<Feature> order) {
  std::ranges::stable_sort(order, {}, [&](Feature j) { return columns.is_key[j] ? columns.sizes[j] : 0; });
  return order;
}

std::vector<Feature> RandomOrder(std::size_t columns, std::uint64_t seed, std::uint64_t number) {
  std::vector<Feature> order = NaturalOrder(columns);
  RandomStream(seed, RandomPurpose::kOrder, number).DrawFirst(std::span(order), columns);
  return order;
}

}  // namespace dtf
