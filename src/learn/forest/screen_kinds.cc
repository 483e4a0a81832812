#include "learn/forest/screen_kinds.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace dtf {
namespace {

// Kinds are first tried on a third of the columns, so many at most.
constexpr std::size_t kMostScreenedColumns = 12;
constexpr std::size_t kFewColumns = 8;  // so few are all learnt: the trial is a member then
// A kind whose NLL on these columns is above so many times the best is not tried on all.
constexpr double kTooBad = 1.05;

std::vector<Trial> ListKinds(ConditionerKind conditioner) {
  std::vector<Trial> trials;
  switch (conditioner) {
    case ConditionerKind::kAuto:
      for (const Kind& kind : ForestKinds()) trials.push_back({&kind});
      break;
    case ConditionerKind::kTree:
      trials.push_back({&TreeKind()});
      break;
    case ConditionerKind::kLinear:
      trials.push_back({&LinearKind()});
      break;
    case ConditionerKind::kBoosted:
      trials.push_back({&BoostedKind()});
      break;
  }
  return trials;
}

// Which positions of an order are learnt to compare kinds, evenly spread.
struct Screen {
  std::vector<bool> positions;  // none: all
  std::size_t count = 0;
  double ratio = 1;  // of the work on all columns to that on these
};

Screen ScreenOf(std::size_t columns) {
  Screen screen;
  if (columns <= kFewColumns) return screen;
  screen.count = std::min(columns / 3, kMostScreenedColumns);
  screen.positions.resize(columns, false);
  double learnt = 0;
  for (std::size_t i = 0; i < screen.count; ++i) {
    const std::size_t position = (2 * i + 1) * columns / (2 * screen.count);
    screen.positions[position] = true;
    learnt += static_cast<double>(position);
  }
  screen.ratio = static_cast<double>(columns) * static_cast<double>(columns - 1) / 2 / learnt;
  return screen;
}

void Try(const MemberChoice& choice, const Screen& screen, Growth& growth, Trial& trial) {
  JudgedMember member = growth.judge().Learn(choice, screen.positions);
  growth.budget().Use(member.fit.work);
  trial.work = screen.ratio * member.fit.work;
  trial.ridge_penalty = member.fit.ridge_penalty;
  trial.screened = growth.MeanOf(member.scores);
  growth.Say(std::string(trial.kind->name) + ": " + Fixed(-trial.screened) + " nats per row" +
             (screen.positions.empty() ? "" : " on " + std::to_string(screen.count) + " columns"));
  if (screen.positions.empty()) trial.member = std::make_unique<JudgedMember>(std::move(member));
}

// The share of the work that may have been used for another kind to be tried, after so many kinds. The second kind is
// nearly always tried: where columns have many categories, the first may take half of the work and be far from the
// best.
double ShareOfTrials(std::size_t tried) { return tried == 1 ? 1 : kTrialShare; }

// Drops kinds of which one member would take more than `most` work; the cheapest kind stays.
void DropDearest(double most, Growth& growth, std::vector<Trial>& trials) {
  const double least = std::ranges::min_element(trials, {}, [](const Trial& trial) { return trial.work; })->work;
  std::erase_if(trials, [&](const Trial& trial) {
    if (trial.work <= std::max(most, least)) return false;
    growth.Say(std::string(trial.kind->name) + ": left out, as a member would take too long");
    return true;
  });
}

}  // namespace

std::vector<Trial> ScreenKinds(Growth& growth) {
  std::vector<Trial> trials = ListKinds(growth.options().conditioner);
  if (trials.size() == 1) return trials;
  const Screen screen = ScreenOf(growth.columns());
  const Budget& budget = growth.budget();
  MemberChoice choice = growth.Choose(*trials[0].kind);  // but for the kind the same for all
  std::size_t tried = 0;
  for (; tried < trials.size() && budget.used() <= ShareOfTrials(tried) * budget.total(); ++tried) {
    choice.kind = trials[tried].kind;
    Try(choice, screen, growth, trials[tried]);
  }
  trials.erase(trials.begin() + static_cast<std::ptrdiff_t>(tried), trials.end());  // they would cost too much
  DropDearest(budget.total(), growth, trials);
  std::stable_sort(trials.begin(), trials.end(),
                   [](const Trial& a, const Trial& b) { return a.screened > b.screened; });
  std::erase_if(trials, [best = trials[0].screened](const Trial& trial) {
    return trial.screened < kTooBad * best;  // both are negative
  });
  return trials;
}

}  // namespace dtf
