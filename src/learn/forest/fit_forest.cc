#include "learn/forest/fit_forest.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "dtf/error.h"
#include "flow/autoregressive_flow.h"
#include "flow/mixture_flow.h"
#include "learn/forest/grow_forest.h"
#include "learn/forest/judge.h"
#include "learn/forest/merge_rows.h"
#include "learn/forest/mixture_weights.h"
#include "learn/forest/relate_columns.h"
#include "learn/forest/singletons.h"
#include "learn/mean_nll.h"

namespace dtf {
namespace {

// A member of less than this share of its equal part is left out in the end.
constexpr double kLeastShare = 0.25;

// Sums of quantised derivatives stay within 31 bits: 15 · 2^27 (boosted.cc).
constexpr std::size_t kMostDistinctRows = std::size_t{1} << 27;

// Those of a mixture's parts that are worth keeping, ascending, and their weights.
struct Weighed {
  std::vector<std::size_t> kept;
  std::vector<double> weights;
  std::optional<double> nll;  // of the rows that judge
};

// But for rounding. Of parts that give the same scores to all validation rows only the first is kept.
bool AreEqual(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double kRounding = 1e-9;
  return std::ranges::equal(a, b, [](double x, double y) { return x == y || std::abs(x - y) <= kRounding; });
}

Weighed Weigh(const MemberScores& scores, const std::vector<std::size_t>& groups,
              const std::vector<double>& row_weights) {
  Weighed weighed;
  for (std::size_t part = 0; part < scores.size(); ++part) {
    const auto says_the_same = [&](std::size_t other) { return AreEqual(scores[other], scores[part]); };
    if (row_weights.empty() || std::ranges::none_of(weighed.kept, says_the_same)) weighed.kept.push_back(part);
  }
  if (row_weights.empty()) {
    weighed.weights.assign(scores.size(), 1.0 / static_cast<double>(scores.size()));
    return weighed;
  }
  for (;;) {
    MemberScores kept_scores;
    std::vector<std::size_t> kept_groups;
    for (const std::size_t part : weighed.kept) {
      kept_scores.push_back(scores[part]);
      kept_groups.push_back(groups[part]);
    }
    weighed.weights = FitWeights(kept_scores, kept_groups, row_weights, kWeightSteps);
    weighed.nll = -MixtureScore(kept_scores, weighed.weights, row_weights);
    const double least = kLeastShare / static_cast<double>(weighed.kept.size());
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < weighed.kept.size(); ++k) {
      if (weighed.weights[k] >= least) kept.push_back(weighed.kept[k]);
    }
    if (kept.size() == weighed.kept.size()) return weighed;
    weighed.kept = std::move(kept);
  }
}

// Makes the flows of members and latent models that were judged.
class Finisher {
 public:
  // all: the rows given to learn from. refit: learn again from all.
  Finisher(const ColumnQuestions& columns, const WeightedRows& all, bool refit, const ConditionalBase& unseen,
           const ForestOptions& options)
      : columns_(columns), all_(all), refit_(refit), unseen_(unseen), options_(options) {}

  std::shared_ptr<const Flow> Finish(JudgedMember member) const {
    AutoregressiveFlow::Base base = unseen_;
    if (!options_.conditional_base) base = RankBase(member);
    if (refit_) {
      const MemberSizes sizes = SizesOf(member.fit);
      member.fit = FitMember(columns_, {all_, nullptr},
                             {.order = member.choice.order,
                              .network = member.choice.networks ? &member.choice.networks->of_all : nullptr,
                              .counts = member.choice.kind->counts,
                              .learner = member.choice.kind->learner,
                              .sizes = &sizes,
                              .positions = {},
                              .seed = member.choice.seed,
                              .threads = options_.threads});
    }
    return std::make_shared<AutoregressiveFlow>(
        MakeFlow(columns_, member.choice.order, std::move(member.fit), std::move(base)));
  }

  // One thread learns a model.
  std::vector<std::shared_ptr<const Flow>> Finish(std::span<const JudgedLatent> models) const {
    std::vector<std::shared_ptr<const Flow>> flows;
    for (const JudgedLatent& model : models) flows.push_back(model.flow);
    if (!refit_) return flows;
    std::vector<LatentOptions> options;
    for (const JudgedLatent& model : models) options.push_back(model.options);
    const std::vector<std::size_t> order = DearestFirst(columns_, all_, options);
    ParallelFor(ThreadCount(options_.threads), order.size(), [&](std::size_t i) {
      flows[order[i]] = FitLatentFlow(columns_, all_, options[order[i]], options_.seed, unseen_);
    });
    return flows;
  }

 private:
  // From the ranks of the validation rows; if there are none, of all rows.
  IndependentBase RankBase(const JudgedMember& member) const {
    RankCounts ranks = member.ranks;
    if (ranks.Total() == 0) ranks = CountRanks(MakeFlow(columns_, member.choice.order, member.fit, unseen_), all_);
    return MakeRankBase(ranks, options_.alpha, options_.closed);
  }

  const ColumnQuestions& columns_;
  const WeightedRows& all_;
  bool refit_;
  const ConditionalBase& unseen_;
  const ForestOptions& options_;
};

MemberScores ScoresOf(const GrownForest& forest) {
  MemberScores scores;
  for (const JudgedMember& member : forest.members) scores.push_back(member.scores);
  for (const JudgedLatent& model : forest.latents) scores.push_back(model.scores);
  return scores;
}

bool IsHiddenTree(const JudgedLatent& model) { return std::holds_alternative<HiddenTreeModel>(model.options); }

// Members as GroupsOf says, each latent class model on its own, all hidden trees together.
std::vector<std::size_t> WeightGroups(const GrownForest& forest) {
  std::vector<std::size_t> groups = GroupsOf(forest.members);
  std::optional<std::size_t> hidden_trees;
  for (const JudgedLatent& model : forest.latents) {
    const std::size_t next = groups.size();
    if (IsHiddenTree(model) && !hidden_trees) hidden_trees = next;
    groups.push_back(IsHiddenTree(model) ? *hidden_trees : next);
  }
  return groups;
}

// Of latent classes each becomes a flow of the mixture.
void AddLatent(const std::shared_ptr<const Flow>& flow, double weight, std::vector<std::shared_ptr<const Flow>>& flows,
               std::vector<double>& weights) {
  if (const auto* classes = dynamic_cast<const MixtureFlow*>(flow.get())) {
    flows.insert(flows.end(), classes->members().begin(), classes->members().end());
    for (const double of_class : classes->weights()) weights.push_back(weight * of_class);
  } else {
    flows.push_back(flow);
    weights.push_back(weight);
  }
}

// The mixture of the parts that are kept. `listener` is told of each when they are learnt again; may be null.
std::shared_ptr<const Flow> FinishKept(GrownForest forest, const Weighed& weighed, const Finisher& finisher,
                                       const FlowListener* listener) {
  const std::size_t members = forest.members.size();  // parts from there on are latent models
  const auto kept_members = static_cast<std::size_t>(
      std::ranges::count_if(weighed.kept, [members](std::size_t part) { return part < members; }));
  const auto tell = [&](FitStep step, std::size_t done, std::optional<double> nll, const std::string& note) {
    if (listener == nullptr) return;
    const int of = static_cast<int>(kept_members);
    (*listener)(
        {.refit = true, .step = step, .point = {static_cast<int>(done), std::nullopt, nll}, .of = of, .note = note});
  };
  std::vector<std::shared_ptr<const Flow>> flows;
  std::vector<double> weights(weighed.weights.begin(),
                              weighed.weights.begin() + static_cast<std::ptrdiff_t>(kept_members));
  if (kept_members > 0) tell(FitStep::kPhase, 0, std::nullopt, "learning members");
  for (std::size_t k = 0; k < kept_members; ++k) {
    JudgedMember& member = forest.members[weighed.kept[k]];
    const std::string kind(member.choice.kind->name);
    flows.push_back(finisher.Finish(std::move(member)));
    tell(FitStep::kMember, k + 1, weighed.nll, kind);
  }
  std::vector<JudgedLatent> latents;
  for (std::size_t k = kept_members; k < weighed.kept.size(); ++k) {
    latents.push_back(std::move(forest.latents[weighed.kept[k] - members]));
  }
  if (!latents.empty()) tell(FitStep::kPhase, kept_members, std::nullopt, "learning latent models");
  std::size_t part = kept_members;
  for (const auto& flow : finisher.Finish(latents)) AddLatent(flow, weighed.weights[part++], flows, weights);
  if (flows.size() == 1) return flows[0];
  return std::make_shared<MixtureFlow>(std::move(flows), std::move(weights));
}

}  // namespace

ForestFit FitForest(const WeightedRows& rows, const std::optional<WeightedRows>& valid, const ColumnKinds& kinds,
                    const HeldOut& hold_out, const ForestOptions& options, const FlowListener& listener) {
  const WeightedRows all = MergeEqualRows(rows);
  if (all.codes.rows > kMostDistinctRows) {
    throw Error(ErrorKind::kInput,
                "an autoregressive model is learnt from at most 2^27 different rows; give fewer of "
                "them, fewer columns, or --model tsp");
  }
  WeightedRows train = all;
  std::optional<WeightedRows> held_out;
  if (valid) held_out = MergeEqualRows(*valid);
  const bool keeps_mass = !options.closed && options.alpha > 0;
  const ConditionalBase unseen{.rows = all.TotalRows(),
                               .alpha = options.alpha,
                               .closed = options.closed,
                               .single_rows = keeps_mass ? CountSingletons(rows, kinds) : std::vector<double>()};
  const bool holds_out = !valid && !Judge::CrossValidates(train, nullptr) && hold_out.fraction > 0;
  if (holds_out) {
    auto [kept, judging] = HoldOut(all, hold_out.fraction);
    if (kept.codes.rows > 0 && judging.codes.rows > 0) {
      train = std::move(kept);
      held_out = std::move(judging);
    }
  }
  const WeightedRows* judging = held_out ? &*held_out : nullptr;
  const bool refit = holds_out && hold_out.refit && held_out;
  const Budget budget(train.codes.rows, kinds.sizes.size(), Judge::CrossValidates(train, judging), options);
  if (MayBeRelated(kinds, options)) {
    listener({.refit = false, .step = FitStep::kPhase, .point = {}, .of = options.members, .note = "relating columns"});
  }
  const ColumnQuestions columns = RelateColumns(all, train, kinds, options);
  const Judge judge(train, judging, columns, unseen, options.conditional_base, options.threads);
  GrownForest forest = GrowForest(train, judge, options, budget, listener);
  const Weighed weighed = Weigh(ScoresOf(forest), WeightGroups(forest), judge.row_weights());

  const Finisher finisher(columns, all, refit, unseen, options);
  ForestFit result;
  result.valid_nll = weighed.nll;
  result.curve = std::move(forest.curve);
  result.choices = DescribeRelations(kinds, columns);
  std::ranges::move(forest.choices, std::back_inserter(result.choices));
  result.flow = FinishKept(std::move(forest), weighed, finisher, refit ? &listener : nullptr);
  result.train_nll = MeanNll(*result.flow, all, options.threads);
  return result;
}

}  // namespace dtf
