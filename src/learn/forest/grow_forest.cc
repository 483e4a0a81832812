#include "learn/forest/grow_forest.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <numeric>
#include <utility>

#include "base/random.h"
#include "learn/forest/kinds.h"
#include "learn/forest/mixture_weights.h"

namespace dtf {
namespace {

constexpr int kMostMembers = 24;  // unless asked for more
// Kinds are first tried on some columns, a third or as many as this; one that is so much worse there is not tried on
// all.
constexpr std::size_t kMostScreenedColumns = 16;
constexpr std::size_t kFewColumns = 8;  // not worth a screening: the trial is a member
constexpr double kTooBad = 1.05;
// Latent class models tried where rows are few.
constexpr ClassOptions kClassModels[] = {
    {.classes = 4, .prior_rows = 1},
    {.classes = 8, .prior_rows = 0.3},
    {.classes = 8, .prior_rows = 3},
    {.classes = 16, .prior_rows = 1},
};
// Work (JudgedMember's unit) allowed in all: a start, and so much for each cell of the distinct rows.
constexpr double kStartWork = 22e9;
constexpr double kCellWork = 33e3;
// Orders tried before one is settled on, and the share of the work for all but the first two of them.
constexpr int kOrderTries = 4;
constexpr double kOrderShare = 0.1;
// Of it, for trying each kind once: the rest is for more of those that proved good.
constexpr double kTrialShare = 0.5;

std::string Fixed(double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.4f", value);
  return buffer;
}

class Forest {
 public:
  Forest(const WeightedRows& rows, const Judge& judge, const ForestOptions& options, const FlowListener& listener)
      : judge_(judge),
        options_(options),
        listener_(listener),
        columns_count_(rows.codes.columns.size()),
        budget_(kStartWork + kCellWork * static_cast<double>(rows.codes.rows * columns_count_)),
        start_(std::chrono::steady_clock::now()) {
    if (options.order == OrderKind::kRandom) return;
    order_ = options.order == OrderKind::kGiven ? options.given_order : NaturalOrder(columns_count_);
  }

  GrownForest Grow() {
    if (judge_.has_rows()) {
      GrowJudged();
    } else {
      GrowUnjudged();
    }
    return std::move(grown_);
  }

 private:
  struct Trial {
    const Kind* kind;
    double work = 0;                                  // of a member, as far as is known
    std::unique_ptr<JudgedMember> member = nullptr;   // when the screening was one already
    double screened = 0;                              // mean score on the screened columns
    std::optional<std::size_t> first = std::nullopt;  // of its members
    double share = 0;                                 // wanted of all members
    int count = 0;
  };

  void GrowJudged() {
    ListKinds();
    ScreenKinds();
    const int most = options_.members.value_or(kMostMembers);
    if (most > 1 && options_.order == OrderKind::kAuto) ChooseOrders(most);
    for (std::size_t k = 0; k < trials_.size() && Size() < most; ++k) Try(trials_[k]);
    if (Size() < most) TryBestTwice();
    ShareOut();
    while (Size() < most && AddMember()) {
    }
    if (WantsClasses()) TryClasses();
  }

  std::vector<JudgedMember>& members() { return grown_.members; }
  const std::vector<JudgedMember>& members() const { return grown_.members; }
  int Size() const { return static_cast<int>(members().size()); }

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
      if (positions.empty()) trial.member = std::make_unique<JudgedMember>(std::move(member));
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

  // If one order alone is better than evenly with another one, it means something, and all members take it. Else each
  // has its own.
  void ChooseOrders(int most) {
    std::vector<JudgedMember> tries = TryOrders();
    std::size_t best = 0;
    for (std::size_t k = 1; k < tries.size(); ++k) {
      if (MeanOf(tries[k].scores) > MeanOf(tries[best].scores)) best = k;
    }
    double gain = 0;
    for (std::size_t k = 0; k < tries.size(); ++k) {
      if (k != best) gain += PairGain(tries[best], tries[k]) / static_cast<double>(tries.size() - 1);
    }
    if (gain > 0) {
      order_.reset();
      Say("columns in random orders: mixed they are better than any alone");
    } else {
      constexpr const char* kNames[kOrderTries] = {"the table's order", "reverse order", "an order drawn",
                                                   "an order drawn"};
      order_ = tries[best].choice.order;
      Say(std::string("columns in ") + kNames[best] +
          (gain < 0 ? ": mixed with another one it is worse by " + Fixed(-gain) + " nats per row" : ""));
      if (best > 0) {
        for (Trial& trial : trials_) trial.member.reset();  // they have the table's
      }
    }
    for (JudgedMember& member : tries) {
      if (Size() == most || (order_ && member.choice.order != *order_)) continue;
      used_ -= member.fit.work;  // Add counts it again
      Add(trials_[0], std::move(member));
    }
  }

  // The best kind in the table's order; in the reverse one, which asks last for what a table often begins with, a
  // class; and in others. As many whatever the number of members: more of them begin with the same ones.
  std::vector<JudgedMember> TryOrders() {
    Trial& kind = trials_[0];
    std::vector<JudgedMember> tries;
    tries.push_back(kind.member ? TakeTrial(kind) : judge_.Learn(Choose(*kind.kind), {}));
    used_ += tries[0].fit.work;
    kind.work = tries[0].fit.work;
    const std::vector<Feature> natural = *order_;
    for (int k = 1; k < kOrderTries && Affordable(kind, k == 1 ? 1 : kOrderShare); ++k) {
      order_.reset();
      if (k == 1) order_.emplace(natural.rbegin(), natural.rend());
      tries.push_back(judge_.Learn(Choose(*kind.kind), {}));
      used_ += tries.back().fit.work;
    }
    order_ = natural;
    if (is_out_of_time_) tries.resize(1);
    return tries;
  }

  JudgedMember TakeTrial(Trial& trial) {
    used_ -= trial.member->fit.work;  // it was counted when it was learnt
    return std::move(*std::exchange(trial.member, nullptr));
  }

  MemberChoice Choose(const Kind& kind) {
    MemberChoice choice{.kind = &kind, .order = {}, .seed = 0};
    const auto number = static_cast<std::uint64_t>(next_++);
    choice.seed = RandomStream(options_.seed, RandomPurpose::kOrder, number, 1).Next();
    choice.order = order_ ? *order_ : RandomOrder(columns_count_, options_.seed, number);
    return choice;
  }

  // Whether one more is within this share of the work that may be spent; or within the time, all of it: once it is not,
  // nothing is any more, so that as many members, asked for by their number, are the same ones.
  bool Affordable(const Trial& trial, double share = 1) {
    if (options_.seconds) {
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
      // A member takes about its share of the time so far.
      const double expected = used_ > 0 ? elapsed.count() * trial.work / used_ : 0;
      is_out_of_time_ = is_out_of_time_ || elapsed.count() + expected > *options_.seconds;
      return !is_out_of_time_;
    }
    return options_.members || used_ + trial.work <= share * budget_;
  }

  // The kind's first member, unless it has one.
  void Try(Trial& trial) {
    if (trial.first) return;
    if (trial.member) {
      Add(trial, TakeTrial(trial));
    } else if (members().empty() || Affordable(trial, kTrialShare)) {
      Add(trial, judge_.Learn(Choose(*trial.kind), {}));
    }
  }

  void Add(Trial& trial, JudgedMember member) {
    used_ += member.fit.work;
    trial.work = member.fit.work;
    ++trial.count;
    if (!trial.first) trial.first = members().size();
    MemberScores scores = ScoresOf(members());
    scores.push_back(member.scores);
    members().push_back(std::move(member));
    LearningCurvePoint point{.layers = Size(), .train_nll = std::nullopt, .valid_nll = std::nullopt};
    if (judge_.has_rows()) {
      const auto weights = FitWeights(scores, judge_.row_weights(), kWeightSteps);
      point.valid_nll = -MixtureScore(scores, weights, judge_.row_weights());
    }
    grown_.curve.push_back(point);
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
  double PairGain(const JudgedMember& a, const JudgedMember& b) const {
    return MixtureScore({a.scores, b.scores}, std::vector<double>{0.5, 0.5}, judge_.row_weights()) - MeanOf(a.scores);
  }

  std::size_t BestTrial() const {
    std::size_t best = 0;
    for (std::size_t k = 1; k < trials_.size(); ++k) {
      if (trials_[k].first &&
          MeanOf(members()[*trials_[k].first].scores) > MeanOf(members()[*trials_[best].first].scores)) {
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
    for (std::size_t m = members().size(); m-- > 0;) {
      if (members()[m].choice.kind == trial.kind) return m;
    }
    return 0;
  }

  // Each kind's share of the members: by what one of it adds to the best kind.
  void ShareOut() {
    const std::size_t best = BestTrial();
    const std::size_t first = *trials_[best].first;
    const double yardstick = trials_[best].count > 1 ? PairGain(members()[first], members()[LastOf(trials_[best])]) : 0;
    double total = 0;
    for (std::size_t k = 0; k < trials_.size(); ++k) {
      Trial& trial = trials_[k];
      if (!trial.first || !(yardstick > 0)) {
        trial.share = k == best ? 1 : 0;
      } else {
        const double gain = k == best ? yardstick : PairGain(members()[first], members()[*trial.first]);
        trial.share = std::max(0.0, std::min(1.0, gain / yardstick) - 0.5);
      }
      total += trial.share;
    }
    for (Trial& trial : trials_) {
      trial.share /= total;
      if (trial.first && trials_.size() > 1) {
        Say(std::string(trial.kind->name) + ": " + Fixed(-MeanOf(members()[*trial.first].scores)) +
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

  // Where rows are few, a handful of classes says as much as trees can learn, and it errs otherwise than they do. Where
  // rows are many it adds nothing.
  bool WantsClasses() const {
    return judge_.cross_validates() && options_.conditioner == ConditionerKind::kAuto && options_.conditional_base &&
           !options_.members && !options_.seconds && columns_count_ > 1;
  }

  void TryClasses() {
    for (const ClassOptions& classes : kClassModels) {
      grown_.classes.push_back(judge_.LearnClasses(classes, options_.seed));
      Say(std::to_string(classes.classes) + " latent classes: " + Fixed(-MeanOf(grown_.classes.back().scores)) +
          " nats per row");
    }
  }

  void Say(std::string choice) { grown_.choices.push_back(std::move(choice)); }

  const Judge& judge_;
  const ForestOptions& options_;
  const FlowListener& listener_;
  std::size_t columns_count_;
  double budget_;
  double used_ = 0;
  std::chrono::steady_clock::time_point start_;
  bool is_out_of_time_ = false;
  std::optional<std::vector<Feature>> order_;  // of the members to come; none: random ones
  int next_ = 0;
  std::vector<Trial> trials_;
  GrownForest grown_;
};

}  // namespace

GrownForest GrowForest(const WeightedRows& rows, const Judge& judge, const ForestOptions& options,
                       const FlowListener& listener) {
  return Forest(rows, judge, options, listener).Grow();
}

}  // namespace dtf
