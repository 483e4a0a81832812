#include "learn/forest/fit_forest.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <utility>

#include "base/ragged.h"
#include "base/random.h"
#include "flow/autoregressive_flow.h"
#include "flow/mixture_flow.h"
#include "flow/score_table.h"
#include "learn/forest/judge.h"
#include "learn/forest/kinds.h"
#include "learn/forest/merge_rows.h"
#include "learn/forest/mixture_weights.h"
#include "learn/mean_nll.h"

namespace dtf {
namespace {

constexpr int kMostMembers = 24;  // unless asked for more
constexpr int kWeightSteps = 30;
// Kinds are first tried on some columns, a third or as many as this; one that is so much worse there is not tried on
// all.
constexpr std::size_t kMostScreenedColumns = 16;
constexpr std::size_t kFewColumns = 8;  // not worth a screening: the trial is a member
constexpr double kTooBad = 1.05;
// Work (JudgedMember's unit) allowed in all: a start, and so much for each cell of the distinct rows.
constexpr double kStartWork = 20e9;
constexpr double kCellWork = 30e3;
// Of it, for trying each kind once: the rest is for more of those that proved good.
constexpr double kTrialShare = 0.5;
// A member of less than this share of its equal part is left out in the end.
constexpr double kLeastShare = 0.25;

std::string Fixed(double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.4f", value);
  return buffer;
}

class Forest {
 public:
  Forest(const WeightedRows& rows, const Judge& judge, const ColumnQuestions& columns, const ForestOptions& options,
         const FlowListener& listener)
      : judge_(judge),
        options_(options),
        listener_(listener),
        columns_count_(columns.sizes.size()),
        budget_(kStartWork + kCellWork * static_cast<double>(rows.codes.rows * columns.sizes.size())),
        start_(std::chrono::steady_clock::now()) {}

  void Grow() {
    if (!judge_.has_rows()) return GrowUnjudged();
    ListKinds();
    ScreenKinds();
    const int most = options_.members.value_or(kMostMembers);
    if (most > 1 && options_.order == OrderKind::kAuto) ChooseOrders();
    for (std::size_t k = 0; k < trials_.size() && Size() < most; ++k) Try(trials_[k]);
    if (Size() < most) TryBestTwice();
    ShareOut();
    while (Size() < most && AddMember()) {
    }
  }

  std::vector<JudgedMember>& members() { return members_; }
  std::vector<LearningCurvePoint>& curve() { return curve_; }
  std::vector<std::string>& choices() { return choices_; }

 private:
  struct Trial {
    const Kind* kind;
    double work = 0;                                    // of a member, as far as is known
    std::optional<JudgedMember> member = std::nullopt;  // when the screening was one already
    double screened = 0;                                // mean score on the screened columns
    std::optional<std::size_t> first = std::nullopt;    // of its members
    double share = 0;                                   // wanted of all members
    int count = 0;
  };

  int Size() const { return static_cast<int>(members_.size()); }

  // Without anyone to judge there is no choice: averaged trees, which need none.
  void GrowUnjudged() {
    trials_.push_back({&TreeKind()});
    Say("nothing to choose by: one averaged tree a question");
    const int most = options_.members.value_or(1);
    while (Size() < most) Add(trials_[0], judge_.Learn(Choose(*trials_[0].kind), {}));
  }

  void ListKinds() {
    switch (options_.conditioner) {
      case ConditionerKind::kAuto:
        for (const Kind& kind : ForestKinds()) trials_.push_back({&kind});
        break;
      case ConditionerKind::kTree:
        trials_.push_back({&TreeKind()});
        break;
      case ConditionerKind::kLinear:
        trials_.push_back({&LinearKind()});
        break;
      case ConditionerKind::kBoosted:
        trials_.push_back({&BoostedKind()});
        break;
    }
  }

  // Sorts the trials by how good their kinds are on some columns, and drops the worst ones.
  void ScreenKinds() {
    if (trials_.size() == 1) return;
    std::vector<bool> positions;
    double ratio = 1;
    const std::size_t screened = std::min(columns_count_ / 3, kMostScreenedColumns);
    if (columns_count_ > kFewColumns) {
      positions.resize(columns_count_, false);
      double learnt = 0;
      for (std::size_t i = 0; i < screened; ++i) {
        const std::size_t position = (2 * i + 1) * columns_count_ / (2 * screened);
        positions[position] = true;
        learnt += static_cast<double>(position);
      }
      const auto columns = static_cast<double>(columns_count_);
      ratio = columns * (columns - 1) / 2 / learnt;
    }
    const MemberChoice first = Choose(*trials_[0].kind);
    for (Trial& trial : trials_) {
      MemberChoice choice = first;
      choice.kind = trial.kind;
      JudgedMember member = judge_.Learn(choice, positions);
      used_ += member.fit.work;
      trial.work = ratio * member.fit.work;
      trial.screened = MeanOf(member.scores);
      Say(std::string(trial.kind->name) + ": " + Fixed(-trial.screened) + " nats per row" +
          (positions.empty() ? "" : " on " + std::to_string(screened) + " columns"));
      if (positions.empty()) trial.member = std::move(member);
    }
    std::stable_sort(trials_.begin(), trials_.end(),
                     [](const Trial& a, const Trial& b) { return a.screened > b.screened; });
    std::erase_if(trials_, [best = trials_[0].screened](const Trial& trial) {
      return trial.screened < kTooBad * best;  // both are negative
    });
  }

  double MeanOf(const std::vector<double>& scores) const {
    return MixtureScore({scores}, std::vector<double>{1.0}, judge_.row_weights());
  }

  // The best kind once in the table's order and once in a random one: if the two together are not better than the
  // first, the table's order means something.
  void ChooseOrders() {
    Try(trials_[0]);
    if (!Affordable(trials_[0])) return;
    natural_ = false;
    Add(trials_[0], judge_.Learn(Choose(*trials_[0].kind), {}));
    const double gain = PairGain(0, 1);
    natural_ = !(gain > 0);
    Say(natural_ ? "columns in the table's order: a random one is worse by " +
                       Fixed(MeanOf(members_[0].scores) - MeanOf(members_[1].scores)) + " nats per row"
                 : "columns in random orders");
  }

  MemberChoice Choose(const Kind& kind) {
    MemberChoice choice{.kind = &kind, .order = {}, .seed = 0};
    const auto number = static_cast<std::uint64_t>(next_++);
    choice.seed = RandomStream(options_.seed, RandomPurpose::kOrder, number, 1).Next();
    if (options_.order == OrderKind::kGiven) {
      choice.order = options_.given_order;
    } else if (options_.order == OrderKind::kRandom || (options_.order == OrderKind::kAuto && !natural_)) {
      choice.order = RandomOrder(columns_count_, options_.seed, number);
    } else {
      choice.order.resize(columns_count_);
      std::iota(choice.order.begin(), choice.order.end(), Feature{0});
    }
    return choice;
  }

  // Whether one more is within this share of what may be spent.
  bool Affordable(const Trial& trial, double share = 1) const {
    if (members_.empty()) return true;
    if (options_.seconds) {
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
      // A member takes about its share of the time so far.
      const double expected = used_ > 0 ? elapsed.count() * trial.work / used_ : 0;
      return elapsed.count() + expected <= share * *options_.seconds;
    }
    return options_.members || used_ + trial.work <= share * budget_;
  }

  // The kind's first member, unless it has one.
  void Try(Trial& trial) {
    if (trial.first) return;
    if (trial.member) {
      used_ -= trial.member->fit.work;  // it was counted when it was learnt
      Add(trial, std::move(*trial.member));
      trial.member.reset();
    } else if (Affordable(trial, kTrialShare)) {
      Add(trial, judge_.Learn(Choose(*trial.kind), {}));
    }
  }

  void Add(Trial& trial, JudgedMember member) {
    used_ += member.fit.work;
    trial.work = member.fit.work;
    ++trial.count;
    if (!trial.first) trial.first = members_.size();
    MemberScores scores = ScoresOf(members_);
    scores.push_back(member.scores);
    members_.push_back(std::move(member));
    LearningCurvePoint point{.layers = Size(), .train_nll = std::nullopt, .valid_nll = std::nullopt};
    if (judge_.has_rows()) {
      const auto weights = FitWeights(scores, judge_.row_weights(), kWeightSteps);
      point.valid_nll = -MixtureScore(scores, weights, judge_.row_weights());
    }
    curve_.push_back(point);
    listener_({.refit = false,
               .is_member = true,
               .point = point,
               .of = options_.members,
               .note = std::string(trial.kind->name)});
  }

  static MemberScores ScoresOf(const std::vector<JudgedMember>& members) {
    MemberScores scores;
    for (const JudgedMember& member : members) scores.push_back(member.scores);
    return scores;
  }

  // What members a and b together, evenly, are better than a alone.
  double PairGain(std::size_t a, std::size_t b) const {
    const MemberScores pair = {members_[a].scores, members_[b].scores};
    return MixtureScore(pair, std::vector<double>{0.5, 0.5}, judge_.row_weights()) - MeanOf(members_[a].scores);
  }

  std::size_t BestTrial() const {
    std::size_t best = 0;
    for (std::size_t k = 1; k < trials_.size(); ++k) {
      if (trials_[k].first &&
          MeanOf(members_[*trials_[k].first].scores) > MeanOf(members_[*trials_[best].first].scores)) {
        best = k;
      }
    }
    return best;
  }

  // A second member of the best kind is the yardstick for what another one brings.
  void TryBestTwice() {
    const std::size_t best = BestTrial();
    if (trials_[best].count < 2 && Affordable(trials_[best])) {
      Add(trials_[best], judge_.Learn(Choose(*trials_[best].kind), {}));
    }
  }

  // The last member of a trial.
  std::size_t LastOf(const Trial& trial) const {
    for (std::size_t m = members_.size(); m-- > 0;) {
      if (members_[m].choice.kind == trial.kind) return m;
    }
    return 0;
  }

  // Each kind's share of the members: by what one of it adds to the best kind.
  void ShareOut() {
    const std::size_t best = BestTrial();
    const std::size_t first = *trials_[best].first;
    const double yardstick = trials_[best].count > 1 ? PairGain(first, LastOf(trials_[best])) : 0;
    double total = 0;
    for (std::size_t k = 0; k < trials_.size(); ++k) {
      Trial& trial = trials_[k];
      if (!trial.first || !(yardstick > 0)) {
        trial.share = k == best ? 1 : 0;
      } else {
        const double gain = k == best ? yardstick : PairGain(first, *trial.first);
        trial.share = std::max(0.0, std::min(1.0, gain / yardstick) - 0.5);
      }
      total += trial.share;
    }
    for (Trial& trial : trials_) {
      trial.share /= total;
      if (trial.first && trials_.size() > 1) {
        Say(std::string(trial.kind->name) + ": " + Fixed(-MeanOf(members_[*trial.first].scores)) +
            " nats per row, share " + Fixed(trial.share));
      }
    }
  }

  // One more of the kind that lacks most; whether there was one to be afforded.
  bool AddMember() {
    Trial* next = nullptr;
    double most = -1e300;
    for (Trial& trial : trials_) {
      const double lack = trial.share * (Size() + 1) - trial.count;
      if (trial.share > 0 && lack > most) {
        most = lack;
        next = &trial;
      }
    }
    if (next == nullptr || !Affordable(*next)) return false;
    Add(*next, judge_.Learn(Choose(*next->kind), {}));
    return true;
  }

  void Say(std::string choice) { choices_.push_back(std::move(choice)); }

  const Judge& judge_;
  const ForestOptions& options_;
  const FlowListener& listener_;
  std::size_t columns_count_;
  double budget_;
  double used_ = 0;
  std::chrono::steady_clock::time_point start_;
  bool natural_ = true;
  int next_ = 0;
  std::vector<Trial> trials_;
  std::vector<JudgedMember> members_;
  std::vector<LearningCurvePoint> curve_;
  std::vector<std::string> choices_;
};

// How often each rank is a row's, for an independent base.
IndependentBase RankBase(const AutoregressiveFlow& flow, const WeightedRows& rows, const ForestOptions& options) {
  std::vector<std::vector<std::uint64_t>> counts;
  for (const Code size : flow.sizes()) counts.emplace_back(size, 0);
  const std::size_t block_rows = flow.BlockRows();
  std::uint64_t total = 0;
  for (std::size_t first = 0; first < rows.codes.rows; first += block_rows) {
    const std::size_t count = std::min(block_rows, rows.codes.rows - first);
    const CodeBlock ranks = flow.Encode(CodeBlock(rows.codes, first, count));
    for (std::size_t i = 0; i < count; ++i) {
      bool seen = true;  // a row with an unseen value counts for no column: all columns have equal sums
      for (std::size_t j = 0; j < counts.size(); ++j) seen = seen && ranks[j][i] < counts[j].size();
      if (!seen) continue;
      for (std::size_t j = 0; j < counts.size(); ++j) counts[j][ranks[j][i]] += rows.WeightOf(first + i);
      total += rows.WeightOf(first + i);
    }
  }
  Ragged<std::uint64_t> ragged;
  for (const auto& column : counts) ragged.Append(column);
  return IndependentBase(std::move(ragged), rows.unit, std::max(options.alpha, total == 0 ? 1e-3 : 0.0),
                         options.closed);
}

// The members worth keeping, and their weights.
std::vector<double> Weigh(std::vector<JudgedMember>& members, const std::vector<double>& row_weights) {
  if (row_weights.empty()) return std::vector<double>(members.size(), 1.0 / static_cast<double>(members.size()));
  for (;;) {
    MemberScores scores;
    for (const JudgedMember& member : members) scores.push_back(member.scores);
    const std::vector<double> weights = FitWeights(scores, row_weights, kWeightSteps);
    const double least = kLeastShare / static_cast<double>(members.size());
    std::vector<JudgedMember> kept;
    for (std::size_t m = 0; m < members.size(); ++m) {
      if (weights[m] >= least) kept.push_back(std::move(members[m]));
    }
    if (kept.size() == weights.size()) {
      members = std::move(kept);
      return weights;
    }
    members = std::move(kept);
  }
}

}  // namespace

ForestFit FitForest(const WeightedRows& rows, const std::optional<WeightedRows>& valid, const std::vector<Code>& sizes,
                    const std::vector<bool>& ordered, const HeldOut& hold_out, const ForestOptions& options,
                    const FlowListener& listener) {
  const WeightedRows all = MergeEqualRows(rows);
  const ColumnQuestions columns = ChooseQuestions(all, sizes, ordered);
  WeightedRows train = all;
  std::optional<WeightedRows> held_out;
  if (valid) held_out = MergeEqualRows(*valid);
  const ConditionalBase unseen{.rows = all.TotalRows(), .alpha = options.alpha, .closed = options.closed};
  const bool holds_out = !valid && !Judge::CrossValidates(train, nullptr) && hold_out.fraction > 0;
  if (holds_out) {
    auto [kept, judging] = HoldOut(all, hold_out.fraction);
    if (kept.codes.rows > 0 && judging.codes.rows > 0) {
      train = std::move(kept);
      held_out = std::move(judging);
    }
  }
  const Judge judge(train, held_out ? &*held_out : nullptr, columns, unseen, options.threads);
  Forest forest(train, judge, columns, options, listener);
  forest.Grow();

  std::vector<JudgedMember>& members = forest.members();
  ForestFit result;
  const std::vector<double> weights = Weigh(members, judge.row_weights());
  if (judge.has_rows()) {
    MemberScores scores;
    for (const JudgedMember& member : members) scores.push_back(member.scores);
    result.valid_nll = -MixtureScore(scores, weights, judge.row_weights());
  }

  std::vector<std::shared_ptr<const Flow>> flows;
  for (std::size_t m = 0; m < members.size(); ++m) {
    JudgedMember member = std::move(members[m]);
    AutoregressiveFlow::Base base = unseen;
    if (!options.conditional_base) {
      // On the rows a member was learnt from, its ranks are too good.
      const AutoregressiveFlow judged = MakeFlow(columns, member.choice.order, member.fit, base);
      base = RankBase(judged, held_out ? *held_out : train, options);
    }
    if (holds_out && hold_out.refit && held_out) {
      MemberFit again = FitMember(columns, {all, nullptr},
                                  {.order = member.choice.order,
                                   .learner = member.choice.kind->learner,
                                   .sizes = &member.fit.sizes,
                                   .positions = {},
                                   .seed = member.choice.seed,
                                   .threads = options.threads});
      flows.push_back(std::make_shared<AutoregressiveFlow>(
          MakeFlow(columns, member.choice.order, std::move(again), std::move(base))));
      const LearningCurvePoint point{
          .layers = static_cast<int>(m + 1), .train_nll = std::nullopt, .valid_nll = result.valid_nll};
      listener({.refit = true,
                .is_member = true,
                .point = point,
                .of = static_cast<int>(members.size()),
                .note = std::string(member.choice.kind->name)});
    } else {
      flows.push_back(std::make_shared<AutoregressiveFlow>(
          MakeFlow(columns, member.choice.order, std::move(member.fit), std::move(base))));
    }
  }
  result.flow = flows.size() == 1 ? flows[0] : std::make_shared<MixtureFlow>(std::move(flows), weights);
  result.train_nll = MeanNll(*result.flow, all, options.threads);
  result.curve = std::move(forest.curve());
  result.choices = std::move(forest.choices());
  return result;
}

}  // namespace dtf
