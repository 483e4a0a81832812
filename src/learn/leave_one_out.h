// Rows that judge what is learnt from all others: each is left out of what judges it.
#pragma once

#include <algorithm>

namespace dtf {

// How much of a row is left out: a copy, or, of fractional weights, as much as is held out together. copy_rows:
// WeightedRows::CopyRows().
inline double OwnRows(double weight, double copy_rows) { return std::min(weight, copy_rows); }

// Of some rows together.
class RowSum {
 public:
  // own: the row's own part of it (OwnRows).
  void Add(double weight, double own) {
    rows_ += weight;
    own_ += weight * own;
  }

  double rows() const { return rows_; }
  // The part of one of these rows, in the mean; none without rows.
  double Own() const { return rows_ > 0 ? own_ / rows_ : 0; }
  // Those that judge a row, in the mean.
  double Others() const { return std::max(rows_ - Own(), 0.0); }
  // How many rows of the same weight would tell as much (Kish, Survey Sampling, 1965).
  double Effective() const { return own_ > 0 ? rows_ * rows_ / own_ : 0; }

 private:
  double rows_ = 0;
  double own_ = 0;  // Σ weight · own part
};

}  // namespace dtf
