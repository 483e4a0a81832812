#include "learn/forest/judge.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/exponential.h"
#include "base/logarithm.h"
#include "base/parallel.h"
#include "flow/score_table.h"

namespace dtf {
namespace {

constexpr int kFolds = 5;
// With so many validation rows, chance sways a choice by less than the choice is worth.
constexpr double kEnoughRows = 500;
// Cross-validation learns six times instead of once. Cells of distinct rows, as only these are learnt from.
constexpr std::size_t kMostCells = 150'000;
// The least alpha of an independent base while scoring: a rank that only the scored rows have must not give them
// probability 0, which would rule the flow out.
constexpr double kLeastAlpha = 1e-3;

void AppendWeights(const WeightedRows& rows, std::vector<double>& weights) {
  for (std::size_t i = 0; i < rows.codes.rows; ++i) weights.push_back(rows.RowWeight(i));
}

// The mean sizes over the folds, but for the one left out: of numbers of trees the arithmetic mean, of penalties the
// geometric one, over the folds that have chosen a penalty.
MemberSizes MeanOf(const std::vector<MemberSizes>& folds, std::optional<std::size_t> left_out = std::nullopt) {
  MemberSizes mean{.trees = folds[0].trees};
  mean.regressions = std::ranges::all_of(folds, &MemberSizes::regressions);
  const auto count = static_cast<double>(folds.size() - (left_out ? 1 : 0));
  for (std::size_t column = 0; column < mean.trees.size(); ++column) {
    for (std::size_t q = 0; q < mean.trees[column].size(); ++q) {
      double trees = 0;
      for (std::size_t f = 0; f < folds.size(); ++f) trees += f == left_out ? 0 : folds[f].trees[column][q];
      mean.trees[column][q] = static_cast<int>(std::lround(trees / count));
    }
  }
  double ln_penalties = 0;
  int penalties = 0;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    if (f == left_out || !folds[f].ridge_penalty) continue;
    ln_penalties += Ln(*folds[f].ridge_penalty);
    ++penalties;
  }
  if (penalties > 0) mean.ridge_penalty = Exp(ln_penalties / penalties);
  return mean;
}

}  // namespace

AutoregressiveFlow MakeFlow(const ColumnQuestions& columns, const std::vector<Feature>& order, MemberFit fit,
                            AutoregressiveFlow::Base base) {
  return AutoregressiveFlow(columns.sizes, order, std::move(fit.tests), std::move(fit.conditioners), std::move(base));
}

struct Judge::Part {
  const WeightedRows& rows;
  std::vector<Feature> order;
  MemberFit fit;
};

bool Judge::CrossValidates(const WeightedRows& rows, const WeightedRows* valid) {
  const bool enough = valid != nullptr && valid->TotalRows() >= kEnoughRows;
  return !enough && rows.codes.rows * rows.codes.columns.size() <= kMostCells;
}

Judge::Judge(const WeightedRows& rows, const WeightedRows* valid, const ColumnQuestions& columns,
             const ConditionalBase& unseen, bool conditional_base, int threads)
    : rows_(rows), columns_(columns), unseen_(unseen), conditional_base_(conditional_base), threads_(threads) {
  if (CrossValidates(rows, valid)) {
    for (int fold = 0; fold < kFolds; ++fold) {
      auto [train, held_out] = HoldOutFold(rows, fold, kFolds);
      if (train.codes.rows == 0 || held_out.codes.rows == 0) continue;
      folds_.push_back({std::move(train), Halve(held_out)});
      AppendWeights(folds_.back().held_out.rows, row_weights_);
    }
  }
  if (valid == nullptr) return;
  valid_ = Halve(*valid);
  AppendWeights(valid_->rows, row_weights_);
  for (const std::size_t half : {0, 1}) {
    std::vector<std::uint64_t> weights(valid_->rows.codes.rows);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if ((i >= valid_->first_half) == (half == 1)) weights[i] = valid_->rows.WeightOf(i);
    }
    valid_halves_[half] = valid_->rows.Reweighted(weights);
  }
}

JudgedMember Judge::Learn(const MemberChoice& choice, const std::vector<bool>& positions) const {
  JudgedMember member{.choice = choice, .fit = {}, .scores = {}, .ranks = {}};
  Score(cross_validates() ? LearnByFolds(member, positions) : LearnFromAll(member, positions), member, positions);
  return member;
}

std::vector<Judge::Part> Judge::LearnFromAll(JudgedMember& member, const std::vector<bool>& positions) const {
  member.fit = Fit(member.choice, positions, rows_, valid_ ? &*valid_ : nullptr, nullptr, false);
  std::vector<Part> parts;
  if (member.choice.kind->counts) {
    if (valid_) parts.push_back({valid_->rows, member.choice.order, member.fit});
    return parts;
  }
  // These rows choose how many trees are kept, so each half is scored with the number that the other half chooses.
  for (std::size_t half = 0; valid_ && half < valid_halves_.size(); ++half) {
    Part& part = parts.emplace_back(Part{valid_halves_[half], member.choice.order, member.fit});
    TrimTo(SizesOf(part.fit, half == 0 ? JudgingRows::kSecondHalf : JudgingRows::kFirstHalf), part.fit);
  }
  TrimTo(SizesOf(member.fit), member.fit);
  return parts;
}

std::vector<Judge::Part> Judge::LearnByFolds(JudgedMember& member, const std::vector<bool>& positions) const {
  std::vector<Part> parts;
  std::vector<MemberSizes> sizes;
  double work = 0;
  for (std::size_t f = 0; f < folds_.size(); ++f) {
    const MemberChoice choice = WithoutFold(member.choice, f);
    parts.push_back({folds_[f].held_out.rows, choice.order,
                     Fit(choice, positions, folds_[f].train, &folds_[f].held_out, nullptr, false)});
    sizes.push_back(SizesOf(parts.back().fit));
    work += parts.back().fit.work;
  }
  // The fold's own rows have chosen how many trees are kept, so they are scored with the mean of the other folds.
  for (std::size_t f = 0; f < folds_.size(); ++f) TrimTo(MeanOf(sizes, f), parts[f].fit);
  const MemberSizes mean = MeanOf(sizes);
  member.fit = Fit(member.choice, positions, rows_, nullptr, &mean);
  member.fit.work += work;
  if (valid_) parts.push_back({valid_->rows, member.choice.order, member.fit});
  return parts;
}

std::pair<std::shared_ptr<const FoundNetworks>, double> Judge::FindNetworks(
    const std::function<FoundNetwork(const WeightedRows&)>& find) const {
  double work = 0;
  const auto find_in = [&](const WeightedRows& rows) {
    FoundNetwork found = find(rows);
    work += found.work;
    return std::move(found.network);
  };
  auto networks = std::make_shared<FoundNetworks>();
  networks->of_all = find_in(rows_);
  for (const Fold& fold : folds_) networks->without_fold.push_back(find_in(fold.train));
  return {std::move(networks), work};
}

// A fold's rows must have no say in the network by which they are scored.
MemberChoice Judge::WithoutFold(const MemberChoice& choice, std::size_t fold) const {
  MemberChoice without = choice;
  if (choice.networks) {
    auto networks = std::make_shared<FoundNetworks>();
    networks->of_all = choice.networks->without_fold[fold];
    without.order = ParentsFirst(networks->of_all);
    without.networks = std::move(networks);
  }
  return without;
}

double Judge::WorkOfLatents(std::span<const LatentOptions> models) const {
  double work = 0;
  for (const LatentOptions& model : models) work += WorkOfLatent(columns_, rows_, model);
  return work * static_cast<double>(folds_.size() + 1);
}

std::vector<JudgedLatent> Judge::LearnLatents(std::span<const LatentOptions> models, std::uint64_t seed) const {
  // Of each model one fit without each fold, then one of all rows. Only the last one's flow is kept.
  const std::size_t fits = folds_.size() + 1;
  const std::vector<std::size_t> order = DearestFirst(columns_, rows_, models);
  std::vector<JudgedLatent> judged(models.size());
  std::vector<std::vector<double>> scores(models.size() * fits);
  ParallelFor(ThreadCount(threads_), scores.size(), [&](std::size_t task) {
    const std::size_t position = order[task / fits];
    const std::size_t fold = task % fits;
    const LatentOptions& options = models[position];
    std::vector<double>& of_fit = scores[position * fits + fold];
    if (fold < folds_.size()) {
      const auto flow = FitLatentFlow(columns_, folds_[fold].train, options, seed, unseen_);
      of_fit = ScoreTable(*flow, folds_[fold].held_out.rows.codes, 1);
      return;
    }
    JudgedLatent& model = judged[position];
    model.options = options;
    model.flow = FitLatentFlow(columns_, rows_, options, seed, unseen_);
    if (valid_) of_fit = ScoreTable(*model.flow, valid_->rows.codes, 1);
  });
  for (std::size_t task = 0; task < scores.size(); ++task) {
    auto& of_model = judged[task / fits].scores;
    of_model.insert(of_model.end(), scores[task].begin(), scores[task].end());
  }
  return judged;
}

MemberFit Judge::Fit(const MemberChoice& choice, const std::vector<bool>& positions, const WeightedRows& train,
                     const HalvedRows* valid, const MemberSizes* sizes, bool trimmed) const {
  return FitMember(columns_, {train, valid},
                   {.order = choice.order,
                    .network = choice.networks ? &choice.networks->of_all : nullptr,
                    .counts = choice.kind->counts,
                    .learner = choice.kind->learner,
                    .sizes = sizes,
                    .ridge_penalty = folds_.empty() ? choice.ridge_penalty : std::nullopt,
                    .positions = positions,
                    .trimmed = trimmed,
                    .most_regression_work = choice.most_regression_work / static_cast<double>(folds_.size() + 1),
                    .seed = choice.seed,
                    .threads = threads_});
}

void Judge::Score(std::vector<Part> parts, JudgedMember& member, const std::vector<bool>& positions) const {
  // Kinds that are compared on a few columns get no independent base, which would add chance to the comparison.
  std::vector<AutoregressiveFlow::Base> bases(parts.size(), unseen_);
  if (!conditional_base_ && positions.empty()) bases = RankBasesOf(parts, member.ranks);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    auto& [rows, order, fit] = parts[p];
    const AutoregressiveFlow flow = MakeFlow(columns_, order, std::move(fit), bases[p]);
    if (positions.empty()) {
      const auto all = ScoreTable(flow, rows.codes, threads_);
      member.scores.insert(member.scores.end(), all.begin(), all.end());
      continue;
    }
    const auto columns = ScoreTablePerColumn(flow, rows.codes, threads_);
    for (std::size_t i = 0; i < rows.codes.rows; ++i) {
      double score = 0;
      for (std::size_t at = 0; at < positions.size(); ++at) {
        if (positions[at]) score += columns[order[at]][i];
      }
      member.scores.push_back(score);
    }
  }
}

std::vector<AutoregressiveFlow::Base> Judge::RankBasesOf(const std::vector<Part>& parts, RankCounts& all) const {
  std::vector<RankCounts> ranks;
  for (const Part& part : parts) {
    ranks.push_back(CountRanks(MakeFlow(columns_, part.order, part.fit, unseen_), part.rows));
  }
  std::vector<AutoregressiveFlow::Base> bases;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    bases.emplace_back(MakeRankBase(SumOf(ranks, p), std::max(unseen_.alpha, kLeastAlpha), unseen_.closed));
  }
  if (!parts.empty()) all = SumOf(ranks);
  return bases;
}

}  // namespace dtf
