#include "learn/forest/grow_forest.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <memory>
#include <numeric>
#include <utility>

#include "base/logarithm.h"
#include "base/random.h"
#include "base/stop.h"
#include "learn/forest/budget.h"
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
// Orders tried before one is settled on, and the share of the work for all but the first two of them.
constexpr int kOrderTries = 4;
constexpr double kOrderShare = 0.1;
// Of the work, for trying each kind once: the rest is for more of those that proved good.
constexpr double kTrialShare = 0.5;
// Of it, for finding one network.
constexpr double kNetworkShare = 0.02;
// Steps towards the weights of the members so far, of which only their loss is told.
constexpr int kCurveSteps = 20;
// Of an equal share of the mixture: a kind that is worth less is not learnt again.
constexpr double kLeastShare = 0.25;

std::string Fixed(double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.4f", value);
  return buffer;
}

// 3, 0.3
std::string Short(double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%g", value);
  return buffer;
}

class Forest {
 public:
  Forest(const WeightedRows& rows, const Judge& judge, const ForestOptions& options, const FlowListener& listener)
      : judge_(judge),
        options_(options),
        listener_(listener),
        columns_count_(rows.codes.columns.size()),
        rows_count_(rows.codes.rows),
        ln_rows_(Ln(rows.TotalRows())),
        budget_(rows.codes.rows, columns_count_, options) {
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
    double work = 0;                                     // of a member, as far as is known
    std::unique_ptr<JudgedMember> member = nullptr;      // when the screening was one already
    double screened = 0;                                 // mean score on the screened columns
    std::optional<double> ridge_penalty = std::nullopt;  // that its first fit has chosen
    std::optional<std::size_t> first = std::nullopt;     // of its members
    double share = 0;                                    // wanted of all members
    int count = 0;
  };

  void GrowJudged() {
    ListKinds();
    ScreenKinds();
    const int most = options_.members.value_or(kMostMembers);
    if (most > 1 && options_.order == OrderKind::kAuto) ChooseOrders(most);
    for (std::size_t k = 0; k < trials_.size() && Size() < most; ++k) Try(trials_[k]);
    if (WantsNetworks()) TryNetworks();
    ShareOut();
    while (Size() < most && AddMember()) {
    }
    if (WantsClasses()) TryClasses();
    std::move(networks_.begin(), networks_.end(), std::back_inserter(members()));
  }

  std::vector<JudgedMember>& members() { return grown_.members; }
  const std::vector<JudgedMember>& members() const { return grown_.members; }
  int Size() const { return static_cast<int>(members().size()); }

  // Without anyone to judge there is no choice: averaged trees, which need none.
  void GrowUnjudged() {
    trials_.push_back({&TreeKind()});
    Say("nothing to choose by: one averaged tree a question");
    const int most = options_.members.value_or(1);
    while (Size() < most) Add(trials_[0], judge_.Learn(Choose(trials_[0]), {}));
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
    std::size_t tried = 0;
    for (; tried < trials_.size() && budget_.used() <= kTrialShare * budget_.total(); ++tried) {
      Trial& trial = trials_[tried];
      MemberChoice choice = first;
      choice.kind = trial.kind;
      JudgedMember member = judge_.Learn(choice, positions);
      budget_.Use(member.fit.work);
      trial.work = ratio * member.fit.work;
      trial.ridge_penalty = member.fit.ridge_penalty;
      trial.screened = MeanOf(member.scores);
      Say(std::string(trial.kind->name) + ": " + Fixed(-trial.screened) + " nats per row" +
          (positions.empty() ? "" : " on " + std::to_string(screened) + " columns"));
      if (positions.empty()) trial.member = std::make_unique<JudgedMember>(std::move(member));
    }
    trials_.erase(trials_.begin() + static_cast<std::ptrdiff_t>(tried), trials_.end());  // they would cost too much
    DropDearest();
    std::stable_sort(trials_.begin(), trials_.end(),
                     [](const Trial& a, const Trial& b) { return a.screened > b.screened; });
    std::erase_if(trials_, [best = trials_[0].screened](const Trial& trial) {
      return trial.screened < kTooBad * best;  // both are negative
    });
  }

  // Kinds of which a single member would cost more than all may, unless they all do: then the cheapest is left.
  void DropDearest() {
    const double least = std::ranges::min_element(trials_, {}, [](const Trial& trial) { return trial.work; })->work;
    std::erase_if(trials_, [&](const Trial& trial) { return trial.work > std::max(budget_.total(), least); });
  }

  double MeanOf(const std::vector<double>& scores) const {
    return MixtureScore({scores}, std::vector<double>{1.0}, judge_.row_weights());
  }

  // If one order alone is better than many of the kind of those tried would be together, it means something, and all
  // members take it. Else each has its own. How many there will be has no say: of --time nobody knows it.
  void ChooseOrders(int most) {
    std::vector<JudgedMember> tries = TryOrders();
    std::size_t best = 0;
    for (std::size_t k = 1; k < tries.size(); ++k) {
      if (MeanOf(tries[k].scores) > MeanOf(tries[best].scores)) best = k;
    }
    const double gain =
        ExtrapolatedScore(ScoresOf(tries), judge_.row_weights(), kMostMembers) - MeanOf(tries[best].scores);
    if (tries.size() > 1 && gain > 0) {
      order_.reset();
      Say("columns in random orders: mixed they are better than any alone");
    } else {
      constexpr const char* kNames[kOrderTries] = {"the table's order", "reverse order", "an order drawn",
                                                   "an order drawn"};
      order_ = tries[best].choice.order;
      Say(std::string("columns in ") + kNames[best] +
          (gain < 0 ? ": mixed with others it would be worse by " + Fixed(-gain) + " nats per row" : ""));
      if (best > 0) {
        for (Trial& trial : trials_) trial.member.reset();  // they have the table's
      }
    }
    for (JudgedMember& member : tries) {
      if (Size() == most || (order_ && member.choice.order != *order_)) continue;
      budget_.Return(member.fit.work);  // Add counts it again
      Add(trials_[0], std::move(member));
    }
  }

  // The best kind in the table's order; in the reverse one, which asks last for what a table often begins with, a
  // class; and in others. As many whatever the number of members: more of them begin with the same ones.
  std::vector<JudgedMember> TryOrders() {
    Trial& kind = trials_[0];
    std::vector<JudgedMember> tries;
    tries.push_back(kind.member ? TakeTrial(kind) : judge_.Learn(Choose(kind), {}));
    budget_.Use(tries[0].fit.work);
    kind.work = tries[0].fit.work;
    const std::vector<Feature> natural = *order_;
    for (int k = 1; k < kOrderTries && budget_.Affords(kind.work, k == 1 ? 1 : kOrderShare); ++k) {
      order_.reset();
      if (k == 1) order_.emplace(natural.rbegin(), natural.rend());
      tries.push_back(judge_.Learn(Choose(kind), {}));
      budget_.Use(tries.back().fit.work);
    }
    order_ = natural;
    if (budget_.is_out_of_time()) tries.resize(1);
    return tries;
  }

  JudgedMember TakeTrial(Trial& trial) {
    budget_.Return(trial.member->fit.work);  // it was counted when it was learnt
    return std::move(*std::exchange(trial.member, nullptr));
  }

  MemberChoice Choose(const Trial& trial) {
    MemberChoice choice = Choose(*trial.kind);
    choice.ridge_penalty = trial.ridge_penalty;
    return choice;
  }

  MemberChoice Choose(const Kind& kind) {
    MemberChoice choice{.kind = &kind, .order = {}, .seed = 0};
    const auto number = static_cast<std::uint64_t>(next_++);
    choice.seed = RandomStream(options_.seed, RandomPurpose::kOrder, number, 1).Next();
    choice.order = order_ ? *order_ : RandomOrder(columns_count_, options_.seed, number);
    return choice;
  }

  // The kind's first member, unless it has one.
  void Try(Trial& trial) {
    if (trial.first) return;
    if (trial.member) {
      Add(trial, TakeTrial(trial));
    } else if (members().empty() || budget_.Affords(trial.work, kTrialShare)) {
      Add(trial, judge_.Learn(Choose(trial), {}));
    }
  }

  void Add(Trial& trial, JudgedMember member) {
    ThrowIfStopped();
    budget_.Use(member.fit.work);
    trial.work = member.fit.work;
    if (!trial.ridge_penalty) trial.ridge_penalty = member.fit.ridge_penalty;
    ++trial.count;
    if (!trial.first) trial.first = members().size();
    MemberScores scores = ScoresOf(members());
    scores.push_back(member.scores);
    members().push_back(std::move(member));
    LearningCurvePoint point{.layers = Size(), .train_nll = std::nullopt, .valid_nll = std::nullopt};
    if (judge_.has_rows()) {
      const auto weights = FitWeights(scores, GroupsOf(members()), judge_.row_weights(), kCurveSteps);
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

  // A kind's share of the members is its weight in the mixture of those that were tried.
  void ShareOut() {
    const auto weights = FitWeights(ScoresOf(members()), GroupsOf(members()), judge_.row_weights(), kWeightSteps);
    double total = 0;
    for (Trial& trial : trials_) {
      for (std::size_t m = 0; m < weights.size(); ++m) {
        if (members()[m].choice.kind == trial.kind) trial.share += weights[m];
      }
      if (trial.share < kLeastShare / static_cast<double>(trials_.size())) trial.share = 0;
      total += trial.share;
    }
    for (Trial& trial : trials_) {
      trial.share /= total;
      if (trial.first && trials_.size() > 1) {
        Say(std::string(trial.kind->name) + ": " + Fixed(-MeanOf(members()[*trial.first].scores)) +
            " nats per row; its share of the members: " + Fixed(trial.share));
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
    if (next == nullptr || !budget_.Affords(next->work)) return false;
    Add(*next, judge_.Learn(Choose(*next), {}));
    return true;
  }

  bool IsFree() const {
    return options_.conditioner == ConditionerKind::kAuto && !options_.members && !options_.seconds;
  }

  // A network of few arrows is all there is to know of some tables. It costs little to find out.
  bool WantsNetworks() const {
    return IsFree() && options_.order == OrderKind::kAuto && columns_count_ > 2 &&
           columns_count_ <= kMostNetworkColumns &&
           LeastNetworkWork(rows_count_, columns_count_) <= kNetworkShare * budget_.total();
  }

  // By the criteria of Akaike and of Schwarz; a column is learnt from its parents, or from all columns that the order
  // of such a network has before it.
  void TryNetworks() {
    for (const auto& [name, parameter_cost] : {std::pair{"Akaike", 1.0}, {"Schwarz", 0.5 * std::max(ln_rows_, 0.0)}}) {
      auto [networks, work] = judge_.FindNetworks({.parameter_cost = parameter_cost,
                                                   .most_work = kNetworkShare * budget_.total(),
                                                   .threads = options_.threads});
      budget_.Use(work);
      for (const bool of_parents : {true, false}) {
        MemberChoice choice = Choose(NetworkKind());
        choice.order = ParentsFirst(networks->of_all);
        choice.networks = networks;
        choice.of_parents = of_parents;
        networks_.push_back(judge_.Learn(choice, {}));
        budget_.Use(networks_.back().fit.work);
        Say(std::string(of_parents ? "Bayesian network" : "trees in the order of a network") + " (" + name +
            "): " + Fixed(-MeanOf(networks_.back().scores)) + " nats per row");
      }
    }
  }

  // Where rows are few, a handful of classes says as much as trees can learn, and it errs otherwise than they do. Where
  // rows are many it adds nothing.
  bool WantsClasses() const {
    return IsFree() && judge_.cross_validates() && options_.conditional_base && columns_count_ > 1;
  }

  void TryClasses() {
    for (const ClassOptions& classes : kClassModels) {
      grown_.classes.push_back(judge_.LearnClasses(classes, options_.seed));
      Say(std::to_string(classes.classes) + " latent classes, each with " + Short(classes.prior_rows) +
          " rows of the whole table: " + Fixed(-MeanOf(grown_.classes.back().scores)) + " nats per row");
    }
  }

  void Say(std::string choice) { grown_.choices.push_back(std::move(choice)); }

  const Judge& judge_;
  const ForestOptions& options_;
  const FlowListener& listener_;
  std::size_t columns_count_;
  std::size_t rows_count_;
  double ln_rows_;
  Budget budget_;
  std::optional<std::vector<Feature>> order_;  // of the members to come; none: random ones
  int next_ = 0;
  std::vector<Trial> trials_;
  std::vector<JudgedMember> networks_;
  GrownForest grown_;
};

}  // namespace

std::vector<std::size_t> GroupsOf(const std::vector<JudgedMember>& members) {
  std::vector<std::size_t> groups;
  for (std::size_t m = 0; m < members.size(); ++m) {
    std::size_t first = 0;
    while (first < m && (members[first].choice.kind != members[m].choice.kind || members[m].choice.networks)) ++first;
    groups.push_back(first);
  }
  return groups;
}

GrownForest GrowForest(const WeightedRows& rows, const Judge& judge, const ForestOptions& options,
                       const FlowListener& listener) {
  return Forest(rows, judge, options, listener).Grow();
}

}  // namespace dtf
