// What a fit tells on standard error: a line for each layer, member and phase; on a terminal a single line with the
// time left.
#pragma once

#include <string>

#include "dtf/fit.h"

namespace dtf::cli {

class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();

  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Show(const FitProgress& progress);
  void Show(const FoldResult& fold, int folds);

 private:
  // `done` of `all` steps are behind us, `seconds` after the first began.
  void ShowLine(const std::string& line, int done, int all, double seconds);

  bool quiet_;
  bool on_terminal_;
  bool refit_ = false;
  double last_seconds_ = 0;
  double refit_start_ = 0;
  int folds_done_ = 0;
  double fold_seconds_ = 0;
};

}  // namespace dtf::cli
