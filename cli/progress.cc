#include "progress.h"

#include <unistd.h>

#include <cstdio>

#include "output.h"

namespace dtf::cli {
namespace {

constexpr char kClearLine[] = "\r\x1b[K";

std::string DescribeStep(const FitProgress& progress) {
  std::string line = progress.refit ? "refit " : "";
  if (progress.step == FitStep::kPhase) return line + progress.note + ", from " + Fixed(progress.seconds, 2) + " s";
  line += progress.step == FitStep::kMember ? "member " : "layer ";
  line += std::to_string(progress.point.layers);
  if (progress.layers) line += " of " + std::to_string(*progress.layers);
  if (!progress.note.empty()) line += " (" + progress.note + ")";
  line += ":";
  if (progress.point.train_nll) line += " train " + Fixed(*progress.point.train_nll) + " nats,";
  if (progress.point.valid_nll) line += " held-out " + Fixed(*progress.point.valid_nll) + " nats,";
  return line + " " + Fixed(progress.seconds, 2) + " s";
}

}  // namespace

Progress::Progress(bool quiet) : quiet_(quiet), on_terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (!quiet_ && on_terminal_) std::fputs(kClearLine, stderr);
}

void Progress::Show(const FitProgress& progress) {
  if (progress.step == FitStep::kWarning) {
    if (!quiet_) PrintMessage("warning: " + progress.note);
    return;
  }
  if (progress.refit && !refit_) {
    refit_ = true;
    refit_start_ = last_seconds_;
  }
  last_seconds_ = progress.seconds;
  ShowLine(DescribeStep(progress), progress.point.layers, progress.layers.value_or(0), progress.seconds - refit_start_);
}

void Progress::Show(const FoldResult& fold, int folds) {
  ++folds_done_;
  fold_seconds_ += fold.seconds;
  const std::string line = "fold " + std::to_string(folds_done_) + " of " + std::to_string(folds) + ": test " +
                           Fixed(fold.nll) + " nats, " + Fixed(fold_seconds_, 2) + " s";
  ShowLine(line, folds_done_, folds, fold_seconds_);
}

void Progress::ShowLine(const std::string& line, int done, int all, double seconds) {
  if (quiet_) return;
  if (!on_terminal_) {
    std::fputs((line + "\n").c_str(), stderr);
    return;
  }
  std::string left;
  if (done > 0 && all > done) left = ", " + Fixed(seconds / done * (all - done), 0) + " s left";
  std::fputs((kClearLine + line + left).c_str(), stderr);
}

}  // namespace dtf::cli
