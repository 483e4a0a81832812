#include "learn/forest/budget.h"

#include <algorithm>
#include <cmath>

namespace dtf {
namespace {

// The work allowed: a start, and kCellWork · √columns for each cell of the distinct rows (a cell costs more in a wide
// table, where a column is learnt from more columns); at most what takes some minutes.
constexpr double kStartWork = 8e9;
constexpr double kStartWorkOfFolds = 14e9;  // where members are learnt by folds
constexpr double kCellWork = 950;
constexpr double kMostWork = 7e11;

}  // namespace

Budget::Budget(std::size_t rows, std::size_t columns, bool cross_validates, const ForestOptions& options)
    : options_(options),
      total_(std::min(kMostWork, (cross_validates ? kStartWorkOfFolds : kStartWork) +
                                     kCellWork * static_cast<double>(rows) * static_cast<double>(columns) *
                                         std::sqrt(static_cast<double>(columns)))),
      start_(std::chrono::steady_clock::now()) {}

bool Budget::Affords(double work, double share) {
  if (!options_.seconds) return options_.members || used_ + work <= share * total_;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  // The time that `work` will take, at the pace so far.
  const double expected = used_ > 0 ? elapsed.count() * work / used_ : 0;
  is_out_of_time_ = is_out_of_time_ || elapsed.count() + expected > *options_.seconds;
  return !is_out_of_time_;
}

}  // namespace dtf
